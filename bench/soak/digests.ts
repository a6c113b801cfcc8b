import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { runDigestSoak } from '../../simulator/soak/digests/run-digest-soak.ts'
import { makeReleasers } from '../../src/lib/releasers.ts'
import { makeSqliteFile } from '../../test/helpers/sqlite-file.ts'
import { openBenchDatabase } from '../overhead/open-bench-database.ts'

/**
 * `npm run soak -- digests`: a year of 500 digests on a clock that jumps from one due time to the next, with a worker
 * that is killed without a word three times. Each due time must have exactly one post (docs/digests.md).
 */
export const soakDigests = async (args: readonly string[]): Promise<boolean> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      digests: { type: 'string', default: '500' },
      days: { type: 'string', default: '365' },
      kills: { type: 'string', default: '3' },
      json: { type: 'boolean', default: false },
    },
  })
  const options = {
    digests: Number(values.digests),
    days: Number(values.days),
    kills: Number(values.kills),
    start: new Date('2026-01-01T00:00:00Z'),
  }
  const releasers = makeReleasers()
  try {
    const store = await openBenchDatabase()
    releasers.push(() => store.drop())
    const file = makeSqliteFile('create table hires (n integer); insert into hires values (1), (2), (3);')
    releasers.push(() => file.remove())
    const say = (line: string): void => void process.stderr.write(`${line}\n`)
    const report = await runDigestSoak({ storeUrl: store.url, databaseFile: file.file, say }, options)
    const folder = join(import.meta.dirname, '../results')
    mkdirSync(folder, { recursive: true })
    const kept = join(folder, `soak-digests-${new Date().toISOString().replaceAll(':', '-')}.json`)
    writeFileSync(kept, `${JSON.stringify({ options, ...report }, null, 2)}\n`)
    if (values.json) process.stdout.write(`${JSON.stringify(report)}\n`)
    else {
      const table = new Table({ head: ['what', 'count'], style: { head: [], border: [], compact: true } })
      const { problems, ...numbers } = report
      for (const [name, n] of Object.entries({ ...numbers, problems: problems.length })) table.push([name, n])
      process.stdout.write(`${table.toString()}\n${kept}\n`)
    }
    const { duplicates, missed, unexpected, unfinished, problems } = report
    return duplicates + missed + unexpected + unfinished + problems.length === 0
  } finally {
    await releasers.release()
  }
}
