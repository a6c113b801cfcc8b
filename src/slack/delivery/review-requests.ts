import type { WebClient } from '@slack/web-api'
import type { CheckAudience } from '../../domain/access/access.ts'
import type { FindAnsweredQuestion } from '../../domain/answer.ts'
import type { ReviewChannel } from '../../domain/feedback.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { LoadResult } from '../../domain/result.ts'
import type {
  AskOwner,
  OwnerNoticeLog,
  StalenessKey,
  StoredVerifiedQuery,
} from '../../domain/verified-query.ts'
import type { SlackMessage } from '../block-kit/blocks.ts'
import { isSlackPerson } from '../block-kit/text.ts'
import { expensiveReason } from '../copy/answer-actions.ts'
import { reviewDecisionView, reviewersUnreachableView, reviewRequestView } from '../views/review.ts'
import { expensiveVerifiedView, staleVerifiedView, writeStalenessKey } from '../views/verified-query.ts'
import { unreachableChannelCode, unreachablePersonCode } from './client.ts'
import type { FindOutcomeMessage } from './place-answer.ts'
import {
  findByMetadata,
  type PostStepMessage,
  postIdempotently,
  postMessage,
  type UpdateMessage,
} from './post-message.ts'

/** Under which event type the key travels in the metadata of a message. */
const VERIFIED_QUERY_METADATA_TYPE = 'querent_stale_verified'

/**
 * Sends a direct message to the person who saved the query, once each time it goes stale or becomes too expensive. A
 * person who cannot be reached is not asked again: `verified list` shows the query all the same.
 */
export const makeNotifyQueryOwner = (deps: {
  readonly client: WebClient
  /** Retries nothing by itself: that would post a second message if only the response to the first was lost. */
  readonly poster: WebClient
  readonly notices: OwnerNoticeLog
  readonly now: () => Date
  readonly log: Log
}): AskOwner => {
  const { client, notices, now, log } = deps
  return async (query, since) => {
    const { savedBy } = query
    if (!isSlackPerson(savedBy)) return
    const key: StalenessKey = { queryId: query.id, since }
    try {
      const channel = (await client.conversations.open({ users: savedBy })).channel?.id
      if (channel === undefined) throw new Error(`Slack opened no conversation with ${savedBy}`)
      const metadata = { type: VERIFIED_QUERY_METADATA_TYPE, key: writeStalenessKey(key) }
      await postIdempotently(
        log,
        {
          claim: () => notices.claim({ ...key, channel, claimedAt: now() }),
          findTs: async () => (await notices.find(key))?.ts ?? null,
          store: ts => notices.markPosted(key, { ts, at: now() }),
        },
        {
          about: { ...key },
          find: () => findByMetadata(client, channel, metadata),
          post: () => postMessage(deps.poster, { channel, metadata }, messageOf(query, key), log),
        },
      )
    } catch (error) {
      if (unreachablePersonCode(error) === null) throw error
      log.warn(
        { error, queryId: query.id },
        'the owner of a verified query cannot be reached; `verified list` shows its state',
      )
    }
  }
}

const messageOf = (query: StoredVerifiedQuery, key: StalenessKey): SlackMessage => {
  const { staleness, lastRun } = query
  const isExpensive = !staleness && lastRun?.heavySince?.getTime() === key.since.getTime()
  if (isExpensive) {
    // The database may have become unreachable since.
    const reason = lastRun.status === 'too-heavy' ? lastRun.reason : expensiveReason
    return expensiveVerifiedView({ ...query, reason })
  }
  return staleVerifiedView({ ...query, key, reasons: staleness?.reasons ?? [] })
}

/** Posts a review request in the review channel, and the decision in the thread of the question. */
export const makeReviewChannel = (deps: {
  readonly postStep: PostStepMessage
  readonly update: UpdateMessage
  readonly findAnswered: FindAnsweredQuestion
  readonly findOutcome: FindOutcomeMessage
  readonly audience: CheckAudience
  readonly loadResult: LoadResult
  readonly log: Log
}): ReviewChannel => ({
  show: async request => {
    const { questionId, channel } = request
    const answered = await deps.findAnswered(questionId)
    if (!answered) return true
    const { question, location } = answered
    const audience = await deps.audience({ team: location.team, channel, database: question.database })
    if (audience.kind === 'some') {
      deps.log.warn(
        { channel },
        'not everyone in the review channel may see an answer: it is not shown there',
      )
      return false
    }
    const table = await deps.loadResult(request.resultId)
    const message = reviewRequestView({ request, question: answered.question, table })
    try {
      const ts = await deps.postStep({ questionId, step: 'human', channel }, message)
      await deps.update({ channel, ts }, message)
      return true
    } catch (error) {
      if (unreachableChannelCode(error) === null) throw error
      deps.log.warn({ error, channel }, 'the review channel cannot be reached')
      return false
    }
  },

  notifyUnavailable: async ({ questionId, askedAt }) => {
    const answered = await deps.findAnswered(questionId)
    if (!answered) return
    const { channel, thread } = answered.location
    await deps.postStep(
      { questionId, step: `human-unreachable ${askedAt.toISOString()}`, channel, thread },
      reviewersUnreachableView,
    )
  },

  notifyDecision: async request => {
    const { questionId, decided } = request
    const answered = decided && (await deps.findAnswered(questionId))
    if (!answered) return
    const shown = await deps.findOutcome(questionId)
    const { channel, thread } = shown?.isPrivate
      ? { channel: shown.channel, thread: shown.ts }
      : answered.location
    await deps.postStep(
      { questionId, step: 'human-decision', channel, thread },
      reviewDecisionView(request, decided, answered.headline),
    )
  },
})
