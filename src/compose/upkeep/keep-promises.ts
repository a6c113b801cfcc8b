import { makePendingQuestions } from '../../app/questions/promised-questions.ts'
import type { SendJob } from '../../core/job.ts'
import type { Log } from '../../core/log.ts'
import type { PendingQuestions } from '../../core/promised-question.ts'
import type { Jobs } from '../../jobs/make-jobs.ts'
import { makeExportToThread } from '../../slack/delivery/export-to-thread.ts'
import { makeSlackClient } from '../../slack/delivery/make-client.ts'
import { makeAskPendingQuestion } from '../../slack/listeners/keep-promise.ts'
import type { SlackUseCases } from '../../slack/use-cases.ts'
import { type CredentialsOf, perTeam, type TeamOfQuestion } from '../slack/slack-doors.ts'
import type { OwnStore } from '../store/open-own-store.ts'

/** What clicks and commands began is done by jobs, should the process that acknowledged it die. */
export interface PendingRequests {
  readonly promises: PendingQuestions
  readonly sendExport: SlackUseCases['sendExport']
  /** Takes the jobs. */
  work(useCases: Pick<SlackUseCases, 'ask' | 'whyMayNotAsk' | 'exportRows' | 'feedback'>): Promise<void>
}

/** Wires them. */
export const makePendingRequests = (
  { store }: Pick<OwnStore, 'store'>,
  deps: {
    readonly jobs: Jobs
    readonly sendJob: SendJob
    readonly doorOf: CredentialsOf
    readonly teamOf: TeamOfQuestion
    readonly log: Log
  },
): PendingRequests => {
  const { jobs, sendJob, log } = deps
  const { inboundMessages: heardMessages, questions } = store.repositories
  const promises = makePendingQuestions({
    inTransaction: store.inTransaction,
    sendJob,
    claim: (key, tx) => heardMessages.claim(key, tx),
    isClaimed: key => heardMessages.has(key),
    isAsked: async key => (await questions.findByKey(key)) !== null,
  })
  return {
    promises,
    sendExport: data => jobs.send('export', data),
    work: async useCases => {
      const exportIn = perTeam(deps.doorOf, door =>
        makeExportToThread({ ...useCases, client: makeSlackClient({ ...door, retries: 2 }), log }),
      )
      await jobs.work(
        'export',
        async (given, attempt) => {
          const team = await deps.teamOf(given.questionId)
          if (team !== null) await exportIn(team)(given, attempt)
        },
        { concurrency: 2 },
      )
      // A post that failed may be there all the same: it is made again by the job alone.
      const keepIn = perTeam(deps.doorOf, door =>
        makeAskPendingQuestion({ ...useCases, promises }, makeSlackClient({ ...door, retries: 0 })),
      )
      await jobs.work('ask-for-person', promised => keepIn(promised.team)(promised), { concurrency: 1 })
    },
  }
}
