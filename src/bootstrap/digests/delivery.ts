import { formatCsv } from '../../answering/export-csv.ts'
import { findChartShape } from '../../charts/choose-chart.ts'
import { drawChart } from '../../charts/draw-chart.ts'
import { makeScheduleRequestedDigest } from '../../digests/requested-digest.ts'
import type { DigestDelivery } from '../../domain/digests/digest.ts'
import type { DigestUseCases } from '../../domain/digests/use-cases.ts'
import type { LocatedQuestion } from '../../domain/message.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { startPolling } from '../../lib/poll.ts'
import { type CredentialsOf, perTeam, type RefusedBy, routeDigests } from '../../slack/by-team.ts'
import { makeSlackClient } from '../../slack/delivery/client.ts'
import { makeDigestDelivery, makeNotifyRequestedDigest } from '../../slack/delivery/digest-delivery.ts'
import { makePostStepMessage, makeUpdateMessage } from '../../slack/delivery/post-message.ts'
import { isPermanentFailure } from '../jobs.ts'
import type { OwnStore } from '../own-store.ts'

/** The delivery of digests to Slack, per workspace. */
export const makeTeamDigestDelivery = (deps: {
  readonly credentialsOf: CredentialsOf
  readonly refusedBy: RefusedBy
  readonly own: Pick<OwnStore, 'store'>
  readonly now: () => Date
  readonly log: Log
}): DigestDelivery => {
  const { credentialsOf, now, log } = deps
  const of = perTeam(credentialsOf, credentials => {
    const client = makeSlackClient(credentials)
    const refused = deps.refusedBy(credentials)
    return makeDigestDelivery({
      client,
      // A failed job is tried again and looks for its message first, so it need not wait here for a rate limit.
      poster: makeSlackClient({ ...credentials, retries: 0, failWhenLimited: true }),
      messages: deps.own.store.repositories.digestMessages,
      refused,
      update: makeUpdateMessage({ client, refused, log }),
      findShape: findChartShape,
      drawChart,
      writeCsv: formatCsv,
      now,
      log,
    })
  })
  return routeDigests(of)
}

/**
 * How often a process looks for ended questions with a digest request. A person waits for it, and few requests are
 * open.
 */
const LOOK_EVERY_MS = 5_000

/** Jobs queued per check; the next check finds the rest. */
const MAX_JOBS = 100

/**
 * Creates the digests requested together with a question, once it is answered. Resolves with a function that stops
 * checking.
 */
export const startDigestRequestJobs = async (
  { store }: Pick<OwnStore, 'store'>,
  deps: {
    readonly jobs: Jobs
    readonly digests: Pick<DigestUseCases, 'schedule'>
    readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
    readonly credentialsOf: CredentialsOf
    readonly now: () => Date
    readonly log: Log
  },
): Promise<() => void> => {
  const { jobs, digests, findPlaced, now, log } = deps
  const { digestRequests, outboundMessages: outbound } = store.repositories
  const tellIn = perTeam(deps.credentialsOf, credentials => {
    // A failed job is tried again and finds the claim.
    const poster = makeSlackClient({ ...credentials, retries: 0, failWhenLimited: true })
    return makeNotifyRequestedDigest({ postStep: makePostStepMessage({ poster, outbound, now, log }) })
  })
  const carryOut = makeScheduleRequestedDigest({
    findRequest: questionId => digestRequests.find(questionId),
    removeRequest: questionId => digestRequests.remove(questionId),
    findPlaced,
    schedule: digests.schedule,
    tell: (placed, outcome) => tellIn(placed.location.team)(placed, outcome),
    isPermanent: isPermanentFailure,
    now,
    log,
  })
  await jobs.work('digest-wish', carryOut, { concurrency: 1 })
  const look = async (): Promise<void> => {
    // A request whose job waits or runs gets no second one: they have the same key.
    for (const questionId of await digestRequests.listEnded(MAX_JOBS))
      await jobs.send('digest-wish', { questionId })
  }
  return startPolling(look, {
    everyMs: LOOK_EVERY_MS,
    onError: error => log.warn({ error }, 'could not look for answers to schedule; trying again later'),
  })
}
