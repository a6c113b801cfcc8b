import { makeTeamDigestDelivery } from '../../../src/bootstrap/digests/delivery.ts'
import { makeDigestClaims, makeDigestRunner } from '../../../src/bootstrap/digests/runs.ts'
import { makeSingleWorkspace } from '../../../src/bootstrap/slack/workspaces.ts'
import { parseDatabaseReference } from '../../../src/databases/database-reference.ts'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { openDatabase } from '../../../src/databases/open-database.ts'
import { silentAudit } from '../../../src/domain/operations/audit.ts'
import { noMetrics, silentLog } from '../../../src/domain/operations/telemetry.ts'
import { mapInParallel } from '../../../src/lib/concurrency.ts'
import { resultKey } from '../../../src/ranking/result-key.ts'
import { perCredentials } from '../../../src/slack/by-team.ts'
import { makeRefusedBlocks } from '../../../src/slack/delivery/refused-blocks.ts'
import { makeStore } from '../../../src/store/store.ts'

/**
 * A process that does what a worker of the bot does for digests, with the clock running from one due time to the next:
 * claims what is due, does the runs that are open, whoever claimed them, and goes on. It may be killed at any time.
 */

/** What it is told, as JSON, in its one argument. Times are ISO. */
interface WorkerOptions {
  readonly storeUrl: string
  readonly databaseFile: string
  readonly apiUrl: string
  readonly start: string
  readonly end: string
}

const AT_ONCE = 4

const MOST_OPEN = 1_000

const { storeUrl, databaseFile, apiUrl, start, end } = JSON.parse(process.argv[2] ?? '') as WorkerOptions

let clock = new Date(start)

const now = (): Date => clock

const store = makeStore({ url: storeUrl, resultKey })

const opened = await openDatabase(parseDatabaseReference(`sqlite:${databaseFile}`, { baseFolder: '/' }), {
  audit: silentAudit,
  guard: makeGuard(),
  limits: { timeoutMs: 10_000, maxRows: 100, maxBytes: 1_000_000 },
})

const run = makeDigestRunner(
  {
    openDatabase: async () => opened.database,
    readSchema: () => opened.readSchema(),
    inRunContext: (_, work) => work(),
    metrics: noMetrics,
    log: silentLog,
  },
  { store },
  {
    access: {
      audience: async () => ({ kind: 'everyone' }),
      mayAsk: async () => ({ status: 'allowed', database: 'cycles' }),
      reachableDatabases: async () => [],
    },
    delivery: makeTeamDigestDelivery({
      credentialsOf: makeSingleWorkspace({ token: 'xoxb-soak', apiUrl }).credentialsOf,
      refusedBy: perCredentials(() => makeRefusedBlocks(now)),
      own: { store },
      now,
      log: silentLog,
    }),
    now,
  },
)

// The rows of the runs are the jobs here: what is open is done, by whichever process looks next.
const claim = makeDigestClaims({ store }, { sendJob: async () => {}, now })

const { digests, digestRuns } = store.repositories

for (;;) {
  await claim()
  const open = await digestRuns.listOpen(clock, MOST_OPEN)
  await mapInParallel(open, AT_ONCE, ({ digestId, scheduledFor }) =>
    run({ digestId, scheduledFor: scheduledFor.toISOString() }, { lastAttempt: false }),
  )
  process.send?.({ at: clock.toISOString() })
  const [first] = await digests.listAll(1)
  if (!first?.nextDue || first.nextDue > new Date(end)) break
  clock = first.nextDue
}

await opened.close()

await store.close()

process.send?.({ done: true })

process.disconnect?.()
