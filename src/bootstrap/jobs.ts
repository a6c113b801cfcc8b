import { z } from 'zod'
import { type ErrorCode, QuerentError } from '../domain/errors.ts'
import type { InLogContext, InSpan } from '../domain/operations/telemetry.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { subjectIdsOf } from '../jobs/workers.ts'
import { isPermanentSlackError } from '../slack/delivery/client.ts'

/** Adds a span to each attempt at a job, and the job's ids to every log line. */
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

/** Whether trying again later can help. */
const isTransientCode: Record<ErrorCode, boolean> = {
  'bad-arguments': false,
  'bad-configuration': false,
  'unknown-database': false,
  // Used up until tomorrow: nobody waits that long for an answer.
  'budget-spent': false,
  // The workspace has removed the bot: its work ends.
  'not-installed': false,
  'database-unreachable': true,
  'database-error': true,
  'store-unavailable': true,
  'model-failed': true,
  cancelled: true,
  internal: true,
}

/**
 * Whether a job that failed with this error can never succeed: wrong configuration, data the queue does not carry, and
 * permanent refusals by Slack. Anything else, above all an unavailable service, is tried again.
 */
export const isPermanentFailure = (error: unknown): boolean =>
  (error instanceof QuerentError && !isTransientCode[error.code]) ||
  error instanceof z.ZodError ||
  isPermanentSlackError(error)
