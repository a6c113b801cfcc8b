import { expect, it, vi } from 'vitest'
import { planDigests } from '../../../simulator/soak/digests/digest-plan.ts'
import { startDigestJobs } from '../../../src/bootstrap/digests/runs.ts'
import { parseDatabaseReference } from '../../../src/databases/database-reference.ts'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { openDatabase } from '../../../src/databases/open-database.ts'
import type { DigestPost } from '../../../src/domain/digests/digest.ts'
import { silentAudit } from '../../../src/domain/operations/audit.ts'
import { noMetrics, silentLog } from '../../../src/domain/operations/telemetry.ts'
import { makeJobs } from '../../../src/jobs/jobs.ts'
import { makeReleasers } from '../../../src/lib/releasers.ts'
import { makeSqliteFile } from '../../helpers/sqlite-file.ts'
import { openTestStore } from '../../store/setup/open-test-store.ts'

const HOUR_MS = 60 * 60 * 1000

it('finds what is due and what has lost its job, and has the queue do both', async () => {
  const releasers = makeReleasers()
  try {
    const opened = await openTestStore()
    releasers.push(async () => opened[Symbol.asyncDispose]())
    const { store, url } = opened
    const file = makeSqliteFile('create table hires (n integer); insert into hires values (1), (2);')
    releasers.push(() => file.remove())
    const cycles = await openDatabase(parseDatabaseReference(`sqlite:${file.file}`, { baseFolder: '/' }), {
      audit: silentAudit,
      guard: makeGuard(),
      limits: { timeoutMs: 10_000, maxRows: 100, maxBytes: 1_000_000 },
    })
    releasers.push(() => cycles.close())
    const jobs = await makeJobs({ url, executeIn: store.executeIn })
    releasers.push(() => jobs.stop({ timeoutMs: 5_000 }))

    const { digests, digestRuns } = store.repositories
    const ago = (ms: number): Date => new Date(Date.now() - ms)
    const [due, lost, resting] = planDigests(3, ago(0))
    if (!due || !lost || !resting) throw new Error('there are no digests to keep')
    await digests.insert({ ...due, nextDue: ago(60_000) }, 'due')
    await digests.insert(lost, 'lost')
    await digests.insert(resting, 'resting')
    const claimedAt = ago(2 * HOUR_MS)
    const run = { kind: 'due', missed: 1, request: null, runBy: null, claimedAt, ended: null } as const
    await digestRuns.insert({ ...run, digestId: lost.id, scheduledFor: claimedAt })

    const posts: DigestPost[] = []
    const stop = await startDigestJobs(
      {
        openDatabase: async () => cycles.database,
        readSchema: () => cycles.readSchema(),
        inRunContext: (context, work) => {
          expect(context).toMatchObject({ origin: 'digest', team: 'T1' })
          return work()
        },
        metrics: noMetrics,
        log: silentLog,
      },
      { store },
      {
        jobs,
        access: {
          audience: async () => ({ kind: 'everyone' }),
          mayAsk: async () => ({ status: 'allowed', database: 'cycles' }),
          reachableDatabases: async () => [],
        },
        delivery: {
          post: async post => {
            posts.push(post)
            return { status: 'posted', channel: 'C1', ts: '1' }
          },
          withhold: async () => {},
          notifyOwner: async ({ notice }) => {
            throw new Error(`nobody was to be told: ${JSON.stringify(notice)}`)
          },
        },
        now: () => new Date(),
      },
    )
    releasers.push(async () => stop())
    await vi.waitFor(
      async () => {
        expect((await digestRuns.listOf(due.id, 5)).map(run => run.ended?.outcome)).toEqual(['posted'])
        expect((await digestRuns.listOf(lost.id, 5)).map(run => run.ended?.outcome)).toEqual(['posted'])
      },
      { timeout: 30_000, interval: 100 },
    )
    expect(posts.map(({ digestId }) => digestId).sort()).toEqual([due.id, lost.id].sort())
    expect((await digests.find(due.id))?.nextDue?.getTime()).toBeGreaterThan(Date.now())
    expect((await digests.find(resting.id))?.nextDue).toEqual(resting.nextDue)
  } finally {
    await releasers.release()
  }
})
