import Table from 'cli-table3'
import { sampleCompany } from '../compose/databases/make-databases.ts'
import type { CommandContext } from './command-context.ts'
import { writeJson } from './write-json.ts'

/** `values`: what the value index of a database finds for a keyword. */
export const runValues = async (
  options: {
    readonly keyword?: string | undefined
    readonly database?: string | undefined
    readonly json?: boolean | undefined
  },
  { config, resources, terminal, signal, clearProgress }: CommandContext,
): Promise<number> => {
  const database = await resources.openDatabase(options.database ?? config.defaultDatabase ?? sampleCompany, {
    signal,
  })
  const found = database.findValues(options.keyword ?? '')
  clearProgress()
  if (options.json) {
    writeJson(
      terminal.out,
      found.map(({ table, column, value, score }) => ({ table, column, value, score })),
    )
    return 0
  }
  if (found.length === 0) {
    terminal.out.write('No value of this database is like that.\n')
    return 0
  }
  const table = new Table({
    style: { head: [], border: [], compact: true },
    head: ['score', 'table', 'column', 'value'],
  })
  for (const { table: name, column, value, score } of found)
    table.push([score.toFixed(2), name, column, value])
  terminal.out.write(`${table.toString()}\n`)
  return 0
}
