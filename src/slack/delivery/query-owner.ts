import type { WebClient } from '@slack/web-api'
import type { Log } from '../../domain/operations/telemetry.ts'
import type {
  AskOwner,
  OwnerNoticeLog,
  StalenessKey,
  StoredVerifiedQuery,
} from '../../domain/verified-query.ts'
import type { SlackMessage } from '../block-kit/message.ts'
import { isSlackPerson } from '../block-kit/text.ts'
import { expensiveReason } from '../copy/verified-query.ts'
import { expensiveVerifiedView, staleVerifiedView, writeStalenessKey } from '../views/verified-query.ts'
import { postIdempotently } from './idempotent-post.ts'
import { findByMetadata, postMessage } from './post-message.ts'
import { unreachablePersonCode } from './slack-errors.ts'

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
