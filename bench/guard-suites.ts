import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { makeGuard } from '../src/databases/guard/guard.ts'
import { ownFunctions } from './guard/own-functions.ts'
import { rightReason } from './guard/right-refusal.ts'
import { readSuite } from './guard/suite-statements.ts'

/**
 * `npm run bench:guard-suites -- --postgres DIR --mysql DIR --sqlite DIR --duckdb DIR [--every N --offset K] [--show N]`:
 * how many queries of the servers' own test suites the guard refuses although they are harmless. `--every 2 --offset 1`
 * reads every second file only, so that the others can be held out. The suites are not part of this repository.
 */

const { values } = parseArgs({
  options: {
    postgres: { type: 'string' },
    mysql: { type: 'string' },
    sqlite: { type: 'string' },
    duckdb: { type: 'string' },
    every: { type: 'string', default: '1' },
    offset: { type: 'string', default: '0' },
    show: { type: 'string', default: '10' },
    json: { type: 'boolean', default: false },
  },
})

const guard = makeGuard()

const count = (tally: Map<string, number>, key: string): void => {
  tally.set(key, (tally.get(key) ?? 0) + 1)
}

const top = (tally: ReadonlyMap<string, number>, most: number): readonly (readonly [string, number])[] =>
  [...tally].toSorted((a, b) => b[1] - a[1]).slice(0, most)

const figures: Record<string, Record<string, number>> = {}

const suites = (['postgres', 'mysql', 'sqlite', 'duckdb'] as const).flatMap(name => {
  const folder = values[name]
  return folder === undefined ? [] : [{ name, folder }]
})

for (const { name, folder } of suites) {
  const { statements, created } = readSuite(name, folder, {
    every: Number(values.every),
    offset: Number(values.offset),
  })
  const own = await ownFunctions(name)
  const right = new Map<string, number>()
  const wrong = new Map<string, number>()
  const examples = new Map<string, string>()
  let slowest = 0
  for (const statement of statements) {
    const started = performance.now()
    const verdict = guard(statement.sql, name)
    slowest = Math.max(slowest, performance.now() - started)
    if (verdict.verdict === 'allow') continue
    const reason = rightReason(statement, verdict.reason, { dialect: name, created, own })
    if (reason !== null) count(right, reason)
    else {
      const plain = verdict.reason.replace(/ near ".*| at ".*/s, '').replace(/\d[\d,]*/g, 'N')
      count(wrong, plain)
      if (!examples.has(plain))
        examples.set(plain, `${statement.file}: ${statement.sql}`.replace(/\s+/g, ' '))
    }
  }
  const sum = (tally: ReadonlyMap<string, number>): number =>
    [...tally.values()].reduce((all, one) => all + one, 0)
  const refusedRightly = sum(right)
  const refusedFalsely = sum(wrong)
  const share = refusedFalsely / Math.max(1, statements.length - refusedRightly)
  figures[name] = { statements: statements.length, refusedRightly, refusedFalsely, share, slowest }
  if (values.json) continue
  console.log(
    `\n${name}: ${statements.length} queries, ${refusedRightly} refused rightly, ${refusedFalsely} refused falsely (${(100 * share).toFixed(2)}% of the harmless ones), slowest verdict ${Math.round(slowest)} ms`,
  )
  const table = new Table({ head: ['refused', 'n', 'why', 'first example'] })
  for (const [reason, n] of top(wrong, Number(values.show)))
    table.push(['falsely', n, reason.slice(0, 90), (examples.get(reason) ?? '').slice(0, 160)])
  for (const [reason, n] of top(right, Number(values.show))) table.push(['rightly', n, reason, ''])
  console.log(table.toString())
}

if (values.json) console.log(JSON.stringify(figures))
