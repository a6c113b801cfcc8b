import type { Log } from '../../src/domain/operations/telemetry.ts'
import { type Jobs, type JobsOptions, makeJobs } from '../../src/jobs/jobs.ts'
import type { Store } from '../../src/store/store.ts'
import { openTestStore } from '../store/setup/open-test-store.ts'

/** A log that fails the test on an error, so that what the queue swallows is seen. */
export const makeStrictLog = (): Log & { readonly errors: unknown[] } => {
  const errors: unknown[] = []
  const keep = (fields: unknown) => {
    errors.push(fields)
  }
  return { errors, debug: () => {}, info: () => {}, warn: () => {}, error: keep }
}

/** Queues and store on one database of their own. */
export const openTestJobs = async (
  options: Partial<JobsOptions> = {},
): Promise<
  AsyncDisposable & {
    readonly jobs: Jobs
    readonly store: Store
    readonly url: string
    readonly errors: unknown[]
  }
> => {
  const opened = await openTestStore()
  const log = makeStrictLog()
  const jobs = await makeJobs({ url: opened.url, executeIn: opened.store.executeIn, log, ...options })
  return {
    jobs,
    store: opened.store,
    url: opened.url,
    errors: log.errors,
    [Symbol.asyncDispose]: async () => {
      await jobs.stop({ timeoutMs: 1000 })
      await opened[Symbol.asyncDispose]()
    },
  }
}
