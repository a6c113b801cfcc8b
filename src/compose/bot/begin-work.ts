import { deferredMessage } from '../../app/messages/held-message.ts'
import type { Resources } from '../../compose.ts'
import type { AccessControl } from '../../core/access.ts'
import type { LocatedQuestion } from '../../core/delivery.ts'
import type { Jobs } from '../../jobs/make-jobs.ts'
import type { SlackUseCases } from '../../slack/use-cases.ts'
import { purgeDays } from '../../store/audit-file/day-files.ts'
import { auditFolder } from '../audit/audit-in-file.ts'
import { startIndexJobs } from '../databases/keep-indexes.ts'
import { openConfiguredDatabases } from '../databases/open-places.ts'
import { makeDigestAskAgain } from '../digests/ask-anew-in.ts'
import { makeTeamDigestDelivery } from '../digests/deliver-digests.ts'
import { startDigestJobs } from '../digests/keep-digests.ts'
import { startDigestRequestJobs } from '../digests/keep-wishes.ts'
import { accessSettings } from '../slack/make-access-control.ts'
import type { AnswerActions } from '../slack/make-answer-actions.ts'
import type { makeNotifications } from '../slack/small-messages.ts'
import type { Workspaces } from '../slack/workspaces.ts'
import type { OwnStore } from '../store/open-own-store.ts'
import type { makePendingRequests } from '../upkeep/keep-promises.ts'
import { startVerifiedQueryJobs } from '../upkeep/keep-verified.ts'
import { startNightlyTraining } from '../upkeep/learn-nightly.ts'
import { makePurgeByAge } from '../upkeep/purge-by-age.ts'
import { startHourlyPurge } from '../upkeep/purge-hourly.ts'
import { selectorParts } from '../upkeep/selector-parts.ts'
import type { makeQuestionJobs } from './work-on-questions.ts'

/** Takes the jobs of every queue, and begins all that is done by the clock. What ends it goes to the releasers. */
export const startWorkers = async (
  resources: Resources,
  own: OwnStore,
  deps: {
    readonly jobs: Jobs
    /** Questions worked on at a time. */
    readonly workers: number
    /** The database that questions are about where a place has none of its own. */
    readonly database: string
    readonly work: ReturnType<typeof makeQuestionJobs>
    readonly actions: AnswerActions
    readonly small: ReturnType<typeof makeNotifications>
    readonly promises: ReturnType<typeof makePendingRequests>
    readonly useCases: SlackUseCases
    readonly access: AccessControl
    readonly workspaces: Workspaces
    readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
    readonly now: () => Date
  },
): Promise<void> => {
  const { config, log, releasers } = resources
  const { jobs, workers, work, actions, small, useCases, access, workspaces, now } = deps
  const { doorOf } = workspaces
  const { checkpoints, store } = own
  const purgeByAge = makePurgeByAge(store.repositories, {
    ...{ retention: config.retention, forgetThread: checkpoints.forget, now },
    purgeAuditFiles: before => purgeDays(auditFolder(config), before),
  })
  releasers.push(startHourlyPurge({ ...store.repositories, checkpoints, purgeByAge }, now, log))
  // One person never takes all that this process can do.
  const perGroup = Math.max(1, workers - 1)
  await jobs.work('question', work.question, { concurrency: workers, perGroup, byTeam: true })
  await jobs.work('resume', work.resume, { concurrency: workers })
  await jobs.work('human', (job, { signal }) => actions.carryOut(job, signal), { concurrency: 2 })
  await jobs.work('revise', actions.carryOutRevision, { concurrency: 2, perGroup: 1 })
  await jobs.work('stop', work.stop, { concurrency: 2 })
  await jobs.work('remove-answer', ({ questionId }) => small.removeAnswer(questionId), { concurrency: 1 })
  await jobs.work('hear-again', async message => void (await useCases.hear(deferredMessage(message))), {
    concurrency: 1,
  })
  await jobs.work('expire-clarification', ({ questionId }) => work.expire(questionId), { concurrency: 1 })
  await deps.promises.work(useCases)
  await startIndexJobs(resources, { jobs, doorOf, home: useCases })
  releasers.push(await startVerifiedQueryJobs(resources, own, { jobs, askOwner: small.askOwner, now }))
  releasers.push(
    await startDigestJobs(resources, own, {
      ...{ jobs, access, now },
      delivery: makeTeamDigestDelivery({ doorOf, own, now, log }),
      askAnew: makeDigestAskAgain(resources, own, { now }),
    }),
  )
  releasers.push(
    await startDigestRequestJobs(own, {
      ...{ jobs, findPlaced: deps.findPlaced, doorOf, now, log },
      digests: useCases.digests,
    }),
  )
  releasers.push(await startNightlyTraining(resources, own, { jobs, selector: selectorParts, now }))
  const opening = new AbortController()
  releasers.push(async () => opening.abort())
  void openConfiguredDatabases(accessSettings(config, deps.database), {
    ...resources,
    signal: opening.signal,
  })
  releasers.push(await workspaces.startTokenRefresh())
}
