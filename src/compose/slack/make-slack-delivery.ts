import type { FindAnsweredQuestion } from '../../core/answered-question.ts'
import type { Delivery } from '../../core/delivery.ts'
import type { Log } from '../../core/log.ts'
import type { AnswerMessage } from '../../slack/answer-message.ts'
import { makeUpdateMessage } from '../../slack/delivery/change-message.ts'
import { makeFindInThread } from '../../slack/delivery/find-in-thread.ts'
import { makeSlackClient } from '../../slack/delivery/make-client.ts'
import { makeDelivery } from '../../slack/delivery/make-delivery.ts'
import { makeProgress } from '../../slack/delivery/make-progress.ts'
import { makePostFirstMessage } from '../../slack/delivery/post-once.ts'
import { makeRemoveAnswer } from '../../slack/delivery/remove-answer.ts'
import { makeStartStream } from '../../slack/delivery/start-stream.ts'
import type { OwnStore } from '../store/open-own-store.ts'
import { routeDelivery } from './route-by-team.ts'
import { type CredentialsOf, perTeam, type TeamOfQuestion } from './slack-doors.ts'

/** Wires the delivery into Slack, with a client for each temper of call, and one delivery for each workspace. */
export const makeSlackDelivery = (deps: {
  readonly doorOf: CredentialsOf
  readonly teamOf: TeamOfQuestion
  readonly own: Pick<OwnStore, 'store'>
  readonly findAnswered: FindAnsweredQuestion
  readonly answerMessage: AnswerMessage
  readonly examples: (database: string) => Promise<readonly string[]>
  readonly now: () => Date
  readonly log: Log
}): Delivery => {
  const { now, log } = deps
  const { repositories, loadResult } = deps.own.store
  const outbound = repositories.outboundMessages
  const of = perTeam(deps.doorOf, door => {
    const client = makeSlackClient(door)
    // A call that failed may have done its work all the same: whoever posts decides whether to make it again.
    const poster = makeSlackClient({ ...door, retries: 0, failWhenLimited: true })
    const impatientClient = makeSlackClient({ ...door, retries: 0, failWhenLimited: true })
    const change = makeUpdateMessage({ client, log })
    return makeDelivery({
      noRetryClient: impatientClient,
      change,
      progress: makeProgress({ client: impatientClient, change, now, log }),
      postOnce: makePostFirstMessage({
        findInThread: makeFindInThread({ client, log }),
        poster,
        startStream: makeStartStream(poster),
        outbound,
        now,
        log,
      }),
      outbound,
      findAnswered: deps.findAnswered,
      answerMessage: deps.answerMessage,
      loadResult,
      remove: makeRemoveAnswer({ client, outbound }),
      examples: deps.examples,
      log,
    })
  })
  return routeDelivery(of, deps.teamOf)
}
