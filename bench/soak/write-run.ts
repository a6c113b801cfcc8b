import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Table from 'cli-table3'

/** Keeps all of a run under bench/results, and prints its summary as a table, or as JSON. */
export const writeRun = (
  kind: string,
  given: {
    readonly summary: Readonly<Record<string, unknown>>
    readonly all: object
    readonly json: boolean
  },
): void => {
  const folder = join(import.meta.dirname, '../results')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `soak-${kind}-${new Date().toISOString().replaceAll(':', '-')}.json`)
  writeFileSync(file, `${JSON.stringify({ summary: given.summary, ...given.all }, null, 2)}\n`)
  if (given.json) {
    process.stdout.write(`${JSON.stringify(given.summary)}\n`)
    return
  }
  const table = new Table({ head: ['what', 'value'], style: { head: [], border: [], compact: true } })
  for (const [name, value] of Object.entries(given.summary)) table.push([name, String(value)])
  process.stdout.write(`${table.toString()}\n${file}\n`)
}
