import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blankSelector, comparePairs, rankByUtility } from '../../bench/feedback/pair-selector.ts'
import type { OwnStore } from '../../src/bootstrap/own-store.ts'
import { startNightlyTraining } from '../../src/bootstrap/selector-training.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import { type Jobs, makeJobs } from '../../src/jobs/jobs.ts'
import { withClient } from '../helpers/with-client.ts'
import { openTestStore } from '../store/setup/open-test-store.ts'

const HOUR = 3

/** A clock that runs, and shows so many seconds before the hour when it is made. */
const clockBefore = (seconds: number) => {
  const shift = Date.UTC(2026, 5, 3, HOUR, 0, -seconds) - Date.now()
  return () => new Date(Date.now() + shift)
}

describe('the nightly training', () => {
  let opened: Awaited<ReturnType<typeof openTestStore>>
  let jobs: Jobs
  beforeAll(async () => {
    opened = await openTestStore()
    jobs = await makeJobs({ url: opened.url, executeIn: opened.store.executeIn, pollSeconds: 0.5 })
  })
  afterAll(async () => {
    await jobs?.stop({ timeoutMs: 5_000 })
    await opened?.[Symbol.asyncDispose]()
  })

  /** How many nights are or were on the queue. */
  const queued = async (): Promise<number> =>
    withClient(opened.url, async client => {
      const sql = "select count(*)::int as nights from querent_jobs.job where name = 'train-selector'"
      return (await client.query(sql)).rows[0].nights
    })

  const start = (seconds: number, given: { readonly enabled?: boolean } = {}) => {
    const done: unknown[] = []
    const first = Promise.withResolvers<void>()
    const log = {
      ...silentLog,
      info: (fields: unknown) => {
        done.push(fields)
        first.resolve()
      },
    }
    const base = loadConfig({ env: {}, cwd: import.meta.dirname })
    const learning = { enabled: true, minimumVotes: 100, hour: HOUR, ...given }
    const stopping = startNightlyTraining(
      { config: { ...base, timeZone: 'UTC', selection: { learning } }, log },
      { store: opened.store } as OwnStore,
      {
        jobs,
        selector: {
          compare: comparePairs,
          rank: rankByUtility,
          shipped: blankSelector([]),
          benchmark: [],
        },
        now: clockBefore(seconds),
      },
    )
    return { done, first: first.promise, stopping }
  }

  it('is done once at its hour, however many processes look ahead', async () => {
    const one = start(2)
    const other = start(2)
    const stops = await Promise.all([one.stopping, other.stopping])
    await Promise.race([one.first, other.first])
    expect(await queued()).toBe(1)
    expect([...one.done, ...other.done]).toEqual([
      { status: 'too-few-votes', votes: 0, counted: 'all', waiting: 0 },
    ])
    for (const stop of stops) stop()
  })

  it('is not done where learning is off', async () => {
    const { stopping } = start(0.5, { enabled: false })
    const before = await queued()
    const stop = await stopping
    expect(await queued()).toBe(before)
    stop()
  })
})
