import { formatCsv } from '../../answering/export-csv.ts'
import { findChartShape } from '../../charts/choose-chart.ts'
import { drawChart } from '../../charts/draw-chart.ts'
import { makeScheduleRequestedDigest } from '../../digests/requested-digest.ts'
import type { DigestDelivery } from '../../domain/digest.ts'
import type { DigestUseCases } from '../../domain/digest-use-cases.ts'
import type { LocatedQuestion } from '../../domain/message.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { makeSlackClient } from '../../slack/delivery/client.ts'
import { makeDigestDelivery, makeNotifyRequestedDigest } from '../../slack/delivery/digest-delivery.ts'
import { makePostStepMessage } from '../../slack/delivery/idempotent-post.ts'
import { makeUpdateMessage } from '../../slack/delivery/post-message.ts'
import { isPermanentFailure } from '../jobs.ts'
import type { OwnStore } from '../own-store.ts'
import { type CredentialsOf, perTeam, routeDigests } from '../slack/by-team.ts'

/** Wires the delivery of digests into Slack. */
export const makeTeamDigestDelivery = (deps: {
  readonly credentialsOf: CredentialsOf
  readonly own: Pick<OwnStore, 'store'>
  readonly now: () => Date
  readonly log: Log
}): DigestDelivery => {
  const { credentialsOf, now, log } = deps
  const of = perTeam(credentialsOf, credentials => {
    const client = makeSlackClient(credentials)
    return makeDigestDelivery({
      client,
      // A job that fails is tried again, and looks first: it need not wait here for a limit to pass.
      poster: makeSlackClient({ ...credentials, retries: 0, failWhenLimited: true }),
      messages: deps.own.store.repositories.digestMessages,
      change: makeUpdateMessage({ client, log }),
      findShape: findChartShape,
      drawChart,
      writeCsv: formatCsv,
      now,
      log,
    })
  })
  return routeDigests(of)
}

/** How often a process looks which questions of wishes have ended. Somebody waits for it, and few wishes are open. */
const LOOK_EVERY_MS = 5_000

/** Jobs that one look sends; the next look finds the others. */
const MAX_JOBS = 100

/** Makes the digests that were asked for together with their question, once that is answered. Resolves with how to stop looking. */
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
    // A job that fails is tried again, and finds the claim.
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
  let isLooking = false
  const look = async (): Promise<void> => {
    if (isLooking) return
    isLooking = true
    try {
      // One whose job waits or runs is not given a second: they have the same key.
      for (const questionId of await digestRequests.listEnded(MAX_JOBS))
        await jobs.send('digest-wish', { questionId })
    } catch (error) {
      log.warn({ error }, 'could not look for answers to schedule; trying again later')
    } finally {
      isLooking = false
    }
  }
  void look()
  const timer = setInterval(() => void look(), LOOK_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
