import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { parseDatabaseReference } from '../src/databases/database-reference.ts'
import { makeGuard } from '../src/databases/guard/guard.ts'
import { type OpenDatabase, openDatabase } from '../src/databases/open-database.ts'
import type { SkippedItem } from '../src/domain/database.ts'
import { silentAudit } from '../src/domain/operations/audit.ts'
import type { ResultTable } from '../src/domain/result.ts'
import { ExpensiveQueryError } from '../src/domain/sql.ts'
import { type TpchQuestion, tpchQuestions } from './tpch/questions.ts'
import { listQueries, rememberQueries } from './tpch/running-queries.ts'

/**
 * `npm run bench:tpch -- --url trino://HOST:PORT [--scales sf1,sf100,sf1000] [--catalog tpch] [--json]`: the benchmark's
 * tables, which a cluster makes up as they are read. For each scale, how long the index takes and how many rows it reads;
 * at scale factor 1, ten of the standard's questions against its published answers; at every other, whether those are
 * stopped before they run, and how soon the cluster is free after a cancellation.
 */
const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    catalog: { type: 'string', default: 'tpch' },
    scales: { type: 'string', default: 'sf1,sf100,sf1000' },
    json: { type: 'boolean', default: false },
  },
})

const url = values.url ?? process.env.TRINO_URL
if (url === undefined) throw new Error('--url names the cluster: trino://127.0.0.1:18080')

const limits = { timeoutMs: 300_000, maxRows: 10_000, maxBytes: 20_000_000 }

/** What the settings ask about by default. */
const heavyRows = 50_000_000

interface ScaleReport {
  readonly scale: string
  readonly indexSeconds: number
  readonly statements: number
  readonly rowsRead: number
  readonly leftOut: readonly SkippedItem[]
  readonly right: number
  readonly stopped: number
  readonly questions: number
  readonly answers: readonly { readonly name: string; readonly outcome: string; readonly seconds: number }[]
  /** Milliseconds from the cancellation until the cluster's own tables show nothing running; null where nothing was. */
  readonly freeMilliseconds: number | null
}

const isNear = (cell: unknown, expected: string | number): boolean =>
  typeof expected === 'number'
    ? Math.abs(Number(cell) - expected) <= Math.max(0.006, Math.abs(expected) * 1e-9)
    : cell === expected

const isRight = ({ firstRow, rows }: TpchQuestion, table: ResultTable): boolean =>
  table.rows.length === rows && firstRow.every((expected, at) => isNear(table.rows[0]?.[at], expected))

const ask = async ({ database }: OpenDatabase, question: TpchQuestion): Promise<string> => {
  const verdict = database.guard(question.sql)
  if (verdict.verdict === 'refuse') return `refused: ${verdict.reason}`
  try {
    return isRight(question, await database.run(verdict.guarded)) ? 'right' : 'wrong'
  } catch (error) {
    if (error instanceof ExpensiveQueryError) return `stopped: ${error.message}`
    return `failed: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Runs a statement although it is heavy, cancels it once the cluster works on it, and waits until it does no more. */
const measureCancellation = async ({ database }: OpenDatabase): Promise<number> => {
  const verdict = database.guard('SELECT max(extendedprice) FROM lineitem')
  if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
  const cancelling = new AbortController()
  const running = database
    .run(verdict.guarded, { evenIfHeavy: true, signal: cancelling.signal })
    .catch((error: unknown) => error)
  const isAtWork = async (): Promise<boolean> =>
    (await listQueries(url)).some(
      ({ state, query }) => state === 'RUNNING' && /max\(extendedprice\)/.test(query),
    )
  while (!(await isAtWork()));
  const began = performance.now()
  cancelling.abort()
  while (await isAtWork());
  const free = performance.now() - began
  await running
  return free
}

const measure = async (scale: string): Promise<ScaleReport> => {
  const known = new Set((await listQueries(url)).map(({ queryId }) => queryId))
  const reference = parseDatabaseReference(`${url}/${values.catalog}/${scale}`, { baseFolder: '.' })
  const began = performance.now()
  const remembered = rememberQueries(url)
  const opened = await openDatabase(reference, { audit: silentAudit, guard: makeGuard(), limits, heavyRows })
  const indexSeconds = (performance.now() - began) / 1000
  const own = (await remembered.all()).filter(({ queryId }) => !known.has(queryId))
  try {
    const answers: { name: string; outcome: string; seconds: number }[] = []
    for (const question of tpchQuestions) {
      const started = performance.now()
      const outcome = await ask(opened, question)
      answers.push({ name: question.name, outcome, seconds: (performance.now() - started) / 1000 })
    }
    return {
      scale,
      indexSeconds,
      statements: own.length,
      rowsRead: own.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
      leftOut: opened.report().leftOut,
      right: answers.filter(({ outcome }) => outcome === 'right').length,
      stopped: answers.filter(({ outcome }) => outcome.startsWith('stopped')).length,
      questions: answers.length,
      answers,
      freeMilliseconds: scale === 'sf1' ? null : await measureCancellation(opened),
    }
  } finally {
    await opened.close()
  }
}

const reports: ScaleReport[] = []
for (const scale of values.scales.split(',')) reports.push(await measure(scale))

if (values.json) console.log(JSON.stringify(reports))
else {
  const table = new Table({
    head: ['scale', 'index', 'statements', 'rows read', 'left out', 'right', 'stopped', 'free after cancel'],
    style: { head: [], border: [] },
  })
  for (const report of reports)
    table.push([
      report.scale,
      `${report.indexSeconds.toFixed(1)} s`,
      String(report.statements),
      report.rowsRead.toLocaleString('en-US'),
      String(report.leftOut.length),
      `${report.right} of ${report.questions}`,
      `${report.stopped} of ${report.questions}`,
      report.freeMilliseconds === null ? '' : `${Math.round(report.freeMilliseconds)} ms`,
    ])
  console.log(table.toString())
  for (const { scale, answers, leftOut } of reports) {
    for (const { name, outcome, seconds } of answers)
      console.log(`${scale} ${name}: ${outcome} (${seconds.toFixed(1)} s)`)
    for (const { what, why } of leftOut) console.log(`${scale} left out of the index: ${what}: ${why}`)
  }
}
