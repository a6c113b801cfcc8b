import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { makeAnswering } from '../src/bootstrap/answering/answering.ts'
import { makeResources } from '../src/bootstrap/resources.ts'
import { loadConfig } from '../src/config/load-config.ts'
import { type DataRights, plainSession } from '../src/domain/access/data-rights.ts'
import { unrestrictedScope } from '../src/domain/database.ts'
import { silentLog } from '../src/domain/operations/telemetry.ts'
import { percentile } from '../src/evaluation/statistics.ts'

/**
 * `npm run bench:rights [-- --rounds N --json]`: what rights cost a question. The same questions of the sample company, in
 * turn without rights and under rules that keep every row, without a model; then under rules that read another table.
 */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, json: { type: 'boolean', default: false } },
})

const rightsOf = (key: string, rowRules: DataRights['rowRules']): DataRights => ({
  key: key.padStart(16, '0'),
  group: 'bench',
  scope: unrestrictedScope,
  rowRules,
  columnMasks: [{ column: 'customers.email', mask: 'hash' }],
  mayExport: true,
  session: plainSession,
})

const tables = ['orders', 'order_lines', 'customers', 'products', 'stores', 'returns']

const settings: Readonly<Record<string, DataRights | null>> = {
  'without rights': null,
  'rules that keep every row': rightsOf(
    'a',
    tables.map(table => ({ table, condition: '1 = 1' })),
  ),
  'rules that read another table': rightsOf('b', [
    {
      table: 'orders',
      condition:
        'exists (select 1 from public.stores s where s.store_id = orders.store_id) or orders.store_id is null',
    },
    { table: 'customers', condition: '1 = 1' },
  ]),
}

const questions = [
  'How many orders were there last month?',
  'Revenue by category this year',
  'Top 10 customers by revenue this year',
  'Orders per store last quarter',
  'Average order value by month',
  'How many customers are there by country?',
  'Which products were returned most?',
  'Revenue by store region in October 2026',
  'How many orders from Germany last week?',
  'New customers per month this year',
  'Top 5 products by revenue',
  'How many employees work in each store?',
]

const folder = mkdtempSync(join(tmpdir(), 'querent-bench-'))
const config = loadConfig({ env: { QUERENT_HOME: join(folder, 'home') }, cwd: folder })
const resources = makeResources(config, { log: silentLog, asOf: '2026-11-20' })
/** Milliseconds by setting, in the order of the questions; of the first, without rights. */
const times: Readonly<Record<string, number[]>> = Object.fromEntries(
  Object.keys(settings).map(name => [name, []]),
)
let answered = 0
try {
  const answering = await makeAnswering(resources, { model: null, kept: 'in-memory' })
  const ask = async (text: string, database: string): Promise<{ ms: number; isAnswered: boolean }> => {
    const id = randomUUID()
    const question = {
      ...{ id, key: id, text, database, timeZone: 'UTC', askedBy: null },
      askedAt: new Date('2026-11-20T12:00:00Z'),
    }
    await answering.keepQuestion(question)
    const started = performance.now()
    const { outcome } = await answering.answer(question, {})
    return { ms: performance.now() - started, isAnswered: outcome.status === 'answered' }
  }
  const databases = Object.entries(settings).map(
    ([name, rights]) =>
      [
        name,
        rights === null ? 'sample-company' : `sample-company@${resources.rightsRegistry.add(rights)}`,
      ] as const,
  )
  for (const [, database] of databases)
    for (const question of questions.slice(0, 4)) await ask(question, database)
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const question of questions) {
      // The order changes, so that no setting always comes first.
      const turns = databases.map((_, at) => databases[(at + round) % databases.length]!)
      const measured = new Map<string, number>()
      for (const [name, database] of turns) {
        const { ms, isAnswered } = await ask(question, database)
        measured.set(name, ms)
        if (isAnswered) answered += 1
      }
      for (const [name, ms] of measured) times[name]?.push(ms)
    }
} finally {
  await resources.release()
  rmSync(folder, { recursive: true, force: true })
}

const rows = Object.entries(times).map(([name, all]) => ({
  name,
  questions: all.length,
  p50: percentile(all, 0.5) ?? 0,
  p95: percentile(all, 0.95) ?? 0,
  difference: percentile(
    all.map((ms, at) => ms - (times['without rights']?.[at] ?? ms)),
    0.5,
  ),
}))
if (values.json) process.stdout.write(`${JSON.stringify({ rows, answered })}\n`)
else {
  const table = new Table({
    head: ['setting', 'questions', 'p50 ms', 'p95 ms', 'median difference of a question, ms'],
  })
  for (const { name, questions: count, p50, p95, difference } of rows)
    table.push([name, count, p50.toFixed(1), p95.toFixed(1), (difference ?? 0).toFixed(1)])
  process.stdout.write(`${table.toString()}\n${answered} were answered.\n`)
}
