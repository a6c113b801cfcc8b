import { z } from 'zod'
import { makePendingQuestions } from '../answering/ask-question.ts'
import { maintenanceRunContext } from '../audit/run-contexts.ts'
import type { CheckAudience } from '../domain/access/access.ts'
import { type ErrorCode, QuerentError } from '../domain/errors.ts'
import type { LocatedQuestion } from '../domain/message.ts'
import type { SendJob } from '../domain/operations/jobs.ts'
import type { InLogContext, InSpan, Log } from '../domain/operations/telemetry.ts'
import type { PendingQuestions } from '../domain/question.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { subjectIdsOf } from '../jobs/workers.ts'
import { type CredentialsOf, perTeam, type TeamOfQuestion } from '../slack/by-team.ts'
import { isPermanentSlackError, makeSlackClient } from '../slack/delivery/client.ts'
import { makeExportToThread } from '../slack/delivery/files.ts'
import { makeAskPendingQuestion } from '../slack/listeners/ask-on-behalf.ts'
import { makeShowHome } from '../slack/listeners/home.ts'
import type { SlackUseCases } from '../slack/use-cases.ts'
import type { OwnStore } from './own-store.ts'
import type { Resources } from './resources.ts'

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
  'unknown-rights': false,
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

/** Jobs for what clicks and commands started, in case the process that acknowledged it dies. */
interface PendingRequests {
  readonly pendingQuestions: PendingQuestions
  readonly sendExport: SlackUseCases['sendExport']
  /** Starts running the jobs. */
  work(useCases: Pick<SlackUseCases, 'ask' | 'findAskRefusal' | 'exportRows' | 'feedback'>): Promise<void>
}

export const makePendingRequests = (
  { store }: Pick<OwnStore, 'store'>,
  deps: {
    readonly jobs: Jobs
    readonly sendJob: SendJob
    readonly credentialsOf: CredentialsOf
    readonly teamOf: TeamOfQuestion
    readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
    readonly audience: CheckAudience
    readonly log: Log
  },
): PendingRequests => {
  const { jobs, sendJob, log } = deps
  const { inboundMessages, questions } = store.repositories
  const pendingQuestions = makePendingQuestions({
    inTransaction: store.inTransaction,
    sendJob,
    claim: (key, tx) => inboundMessages.claim(key, tx),
    isClaimed: key => inboundMessages.has(key),
    isAsked: async key => (await questions.findByKey(key)) !== null,
  })
  return {
    pendingQuestions,
    sendExport: data => jobs.send('export', data),
    work: async useCases => {
      const exportIn = perTeam(deps.credentialsOf, credentials =>
        makeExportToThread({
          ...useCases,
          ...{ findPlaced: deps.findPlaced, audience: deps.audience, log },
          outbound: store.repositories.outboundMessages,
          now: () => new Date(),
          client: makeSlackClient({ ...credentials, retries: 2 }),
        }),
      )
      await jobs.work(
        'export',
        async (given, attempt) => {
          const team = await deps.teamOf(given.questionId)
          if (team !== null) await exportIn(team)(given, attempt)
        },
        { concurrency: 2 },
      )
      // A failed post may be there all the same: only the job may repeat it.
      const keepIn = perTeam(deps.credentialsOf, credentials =>
        makeAskPendingQuestion(
          { ...useCases, pendingQuestions },
          makeSlackClient({ ...credentials, retries: 0 }),
        ),
      )
      await jobs.work('ask-for-person', promised => keepIn(promised.team)(promised), { concurrency: 1 })
    },
  }
}

/**
 * Runs the jobs that profile and index a database: one process per database at a time, because its queue has one job
 * per key, and again if that process died. Other processes get a notice. The admin who asked sees the result.
 */
export const startIndexJobs = async (
  { indexDatabase, inRunContext, log }: Pick<Resources, 'indexDatabase' | 'inRunContext' | 'log'>,
  deps: {
    readonly jobs: Jobs
    readonly credentialsOf: CredentialsOf
    readonly home: Pick<SlackUseCases, 'describeHome' | 'digests' | 'isAdmin'>
  },
): Promise<void> => {
  const clientOf = perTeam(deps.credentialsOf, credentials => makeSlackClient({ ...credentials, retries: 2 }))
  const showHome = makeShowHome(deps.home)
  await deps.jobs.work(
    'index',
    async ({ database, by }, { signal, lastAttempt }) => {
      const tell = async (note: string): Promise<void> => {
        if (by === null) return
        // The index is built; a failure to show it is no reason to build it again.
        await showHome(clientOf(by.team), by, note).catch((error: unknown) =>
          log.warn({ error, database }, 'could not refresh App Home after an index was rebuilt'),
        )
      }
      try {
        const { tables, values } = await inRunContext(
          maintenanceRunContext('index', by?.person ?? null),
          () => indexDatabase(database, { signal }),
        )
        await tell(
          `The index of ${database} is rebuilt: ${tables} tables, ${values.toLocaleString('en-US')} values.`,
        )
      } catch (error) {
        if (lastAttempt) await tell(`The index of ${database} could not be rebuilt. The log says why.`)
        throw error
      }
    },
    { concurrency: 1 },
  )
}
