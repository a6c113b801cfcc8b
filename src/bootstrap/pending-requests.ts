import { makePendingQuestions } from '../answering/ask-question.ts'
import type { SendJob } from '../domain/operations/jobs.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type { PendingQuestions } from '../domain/question.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { type CredentialsOf, perTeam, type TeamOfQuestion } from '../slack/by-team.ts'
import { makeSlackClient } from '../slack/delivery/client.ts'
import { makeExportToThread } from '../slack/delivery/files.ts'
import { makeAskPendingQuestion } from '../slack/listeners/ask-on-behalf.ts'
import type { SlackUseCases } from '../slack/use-cases.ts'
import type { OwnStore } from './own-store.ts'

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
        makeExportToThread({ ...useCases, client: makeSlackClient({ ...credentials, retries: 2 }), log }),
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
