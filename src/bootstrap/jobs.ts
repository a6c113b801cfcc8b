import { z } from 'zod'
import { type ErrorCode, QuerentError } from '../domain/errors.ts'
import type { InLogContext, InSpan } from '../domain/operations/telemetry.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { subjectIdsOf } from '../jobs/workers.ts'
import { isPermanentSlackError } from '../slack/delivery/slack-errors.ts'

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

/** Whether the same work can come to another end when it is done again later. */
const isTransientCode: Record<ErrorCode, boolean> = {
  'bad-arguments': false,
  'bad-configuration': false,
  'unknown-database': false,
  // Spent until tomorrow: nobody waits that long for an answer.
  'budget-spent': false,
  // The workspace has removed the bot: whatever was under way there ends.
  'not-installed': false,
  'database-unreachable': true,
  'database-error': true,
  'store-unavailable': true,
  'model-failed': true,
  cancelled: true,
  internal: true,
}

/**
 * Whether a job that failed with this can never succeed: what is set wrong, data that the queue does not carry, and what
 * Slack refuses for good. Everything else, above all whatever is away, is tried again.
 */
export const isPermanentFailure = (error: unknown): boolean =>
  (error instanceof QuerentError && !isTransientCode[error.code]) ||
  error instanceof z.ZodError ||
  isPermanentSlackError(error)
