import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { makeRunContexts } from '../src/compose/audit/run-contexts.ts'
import { makeBookedAudit } from '../src/compose/audit/statement-audit.ts'
import { silentLog } from '../src/core/log.ts'
import type { RunContext } from '../src/core/run-context.ts'
import { silentAudit } from '../src/core/statement-audit.ts'
import { makeGuard } from '../src/databases/guard/make-guard.ts'
import { openDatabase } from '../src/databases/open-database.ts'
import { parseDatabaseReference } from '../src/databases/parse-database-reference.ts'
import { percentile } from '../src/evaluation/percentile.ts'
import { resultKey } from '../src/selection/result-key.ts'
import { makeStore } from '../src/store/make-store.ts'

/**
 * `npm run bench:audit -- --store postgres://... --database postgres://... [--statements N]`: what the audit log costs, in
 * statements a second and milliseconds a statement, one at a time and 25 at once, with and without it. `--store` is a
 * database of Querent's own; the statements are `select 1`, so that nothing else is measured.
 */
const { values } = parseArgs({
  options: {
    store: { type: 'string' },
    database: { type: 'string' },
    statements: { type: 'string', default: '2000' },
  },
})
const { store: storeUrl = '', database: databaseUrl = '' } = values
const statements = Number(values.statements)

const store = makeStore({ url: storeUrl, resultKey })
await store.migrate()
const { inRunContext, currentContext } = makeRunContexts()
const { insert, finish } = store.repositories.auditLog
const audit = makeBookedAudit({
  book: { insert, finish, advice: '', isNear: false },
  currentContext,
  shell: null,
  now: () => new Date(),
  log: silentLog,
})
const open = (audited: boolean) =>
  openDatabase(parseDatabaseReference(databaseUrl, { baseFolder: '.' }), {
    audit: silentAudit,
    guard: makeGuard(),
    limits: { timeoutMs: 30_000, maxRows: 100, maxBytes: 1_000_000 },
    ...(audited ? { audit } : {}),
  })

const measure = async (audited: boolean, atOnce: number) => {
  const opened = await open(audited)
  const { database } = opened
  const verdict = database.guard('select 1')
  if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
  const took: number[] = []
  const run = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) {
      const began = performance.now()
      await database.run(verdict.guarded)
      took.push(performance.now() - began)
    }
  }
  const context: RunContext = {
    origin: 'question',
    ...{ person: 'U1', team: 'T1', channel: 'C1', questionId: randomUUID(), digestId: null },
  }
  await inRunContext(context, () => run(200))
  took.length = 0
  const began = performance.now()
  await inRunContext(context, () =>
    Promise.all(Array.from({ length: atOnce }, () => run(statements / atOnce))),
  )
  const seconds = (performance.now() - began) / 1000
  await audit.flush()
  await opened.close()
  const sorted = took.sort((a, b) => a - b)
  return {
    ...{ audited, atOnce, statements: took.length, perSecond: Math.round(took.length / seconds) },
    p50: Number(percentile(sorted, 0.5)?.toFixed(2)),
    p95: Number(percentile(sorted, 0.95)?.toFixed(2)),
  }
}

const rows = []
for (const atOnce of [1, 25]) for (const audited of [false, true]) rows.push(await measure(audited, atOnce))
await store.close()
process.stdout.write(`${JSON.stringify(rows, null, 1)}\n`)
