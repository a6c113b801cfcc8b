import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeRunContexts } from '../src/audit/run-contexts.ts'
import { makeStatementAudit } from '../src/audit/statement-audit.ts'
import { makeFileAudit } from '../src/bootstrap/statement-audit.ts'
import { noBudgetLimits } from '../src/config/config.ts'
import { parseDatabaseReference } from '../src/databases/database-reference.ts'
import { makeGuard } from '../src/databases/guard/guard.ts'
import { openDatabase } from '../src/databases/open-database.ts'
import { type RunContext, silentAudit } from '../src/domain/operations/audit.ts'
import { silentLog } from '../src/domain/operations/telemetry.ts'
import { percentile } from '../src/evaluation/statistics.ts'
import { makeReleasers } from '../src/lib/releasers.ts'
import { resultKey } from '../src/ranking/result-key.ts'
import { makeStore } from '../src/store/store.ts'

/**
 * `npm run bench:audit -- --store postgres://... --database postgres://... [--statements N]`: what the audit log costs, in
 * statements a second and milliseconds a statement, one at a time and 25 at once: without it, in the store, and in files
 * as in a shell. `--store` is a database of Querent's own; the statements are `select 1`, so that nothing else is measured.
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

const audit = makeStatementAudit({
  sink: { insert, finish, advice: '', isLocal: false },
  currentContext,
  shell: null,
  now: () => new Date(),
  log: silentLog,
})

const home = mkdtempSync(join(tmpdir(), 'querent-bench-audit-'))

const inFile = makeFileAudit({
  config: {
    home,
    retention: { questionDays: 1, resultDays: 1, usageDays: 1, auditDays: 1, digestRunDays: 1 },
    budget: noBudgetLimits,
    timeZone: 'UTC',
  },
  currentContext,
  shell: { person: 'bench', command: 'bench audit' },
  releasers: makeReleasers(),
  log: silentLog,
})

const kinds = { none: null, store: audit, file: inFile } as const

const open = (kept: keyof typeof kinds) =>
  openDatabase(parseDatabaseReference(databaseUrl, { baseFolder: '.' }), {
    audit: kinds[kept] ?? silentAudit,
    guard: makeGuard(),
    limits: { timeoutMs: 30_000, maxRows: 100, maxBytes: 1_000_000 },
  })

const measure = async (kept: keyof typeof kinds, atOnce: number) => {
  const opened = await open(kept)
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
  await kinds[kept]?.flush()
  await opened.close()
  const sorted = took.sort((a, b) => a - b)
  return {
    ...{ kept, atOnce, statements: took.length, perSecond: Math.round(took.length / seconds) },
    p50: Number(percentile(sorted, 0.5)?.toFixed(2)),
    p95: Number(percentile(sorted, 0.95)?.toFixed(2)),
  }
}

const rows = []

for (const atOnce of [1, 25])
  for (const kept of ['none', 'store', 'file'] as const) rows.push(await measure(kept, atOnce))

rmSync(home, { recursive: true })

await store.close()

process.stdout.write(`${JSON.stringify(rows, null, 1)}\n`)
