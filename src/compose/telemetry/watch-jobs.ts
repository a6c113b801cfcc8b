import type { InLogContext } from '../../core/log.ts'
import type { InSpan } from '../../core/span.ts'
import { subjectIdsOf } from '../../jobs/ids-of.ts'
import type { Jobs } from '../../jobs/make-jobs.ts'

/** The same queues, with each attempt at a job in a span, and with what it is about on every line of the log. */
export const withJobSpans = (
  jobs: Jobs,
  { inSpan, inLogContext }: { readonly inSpan: InSpan; readonly inLogContext: InLogContext },
): Jobs => ({
  ...jobs,
  work: (queue, handler, options) =>
    jobs.work(
      queue,
      (data, run) =>
        inLogContext({ queue, ...subjectIdsOf(data) }, () =>
          inSpan(`job ${queue}`, { attempt: run.attempt, ...subjectIdsOf(data) }, () => handler(data, run)),
        ),
      options,
    ),
})
