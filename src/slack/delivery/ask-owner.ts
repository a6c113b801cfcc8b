import type { WebClient } from '@slack/web-api'
import type { Log } from '../../core/log.ts'
import type { AskOwner, KeptVerifiedQuery, NoticeLog, StalenessKey } from '../../core/verified-recheck.ts'
import { isSlackPerson } from '../slack-person.ts'
import { staleVerifiedView } from '../views/stale-verified.ts'
import { writeStalenessKey } from '../views/staleness-key.ts'
import { slackErrorCode } from './slack-error-code.ts'

/** Under which event type the key travels in the metadata of a message. */
const METADATA_TYPE = 'querent_stale_verified'

/**
 * Whoever left, or is a bot, cannot be asked, and neither can anybody by an app that was installed without `im:write`:
 * trying again would not help. `verified list` shows the query all the same.
 */
const unreachable: ReadonlySet<string> = new Set([
  'user_not_found',
  'users_not_found',
  'user_disabled',
  'user_not_visible',
  'cannot_dm_bot',
  'messages_tab_disabled',
  'missing_scope',
])

/**
 * Makes the port: a direct message to who saved the query, once for each time that it goes stale. The claim is stored
 * before the post and the `ts` after; where a crash came between, the conversation is searched for our message before
 * another is posted.
 */
export const makeAskOwner = (deps: {
  readonly client: WebClient
  /** Makes no call again by itself: that would post a second message when only the answer to the first was lost. */
  readonly poster: WebClient
  readonly notices: NoticeLog
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
      const isFirst = await notices.claim({ ...key, channel, claimedAt: now() })
      if (!isFirst && (await notices.find(key))?.ts) return
      const found = isFirst ? null : await findNotice(client, channel, key)
      const ts = found ?? (await post(deps.poster, channel, query, key))
      await notices.markPosted(key, { ts, at: now() })
    } catch (error) {
      if (!unreachable.has(slackErrorCode(error) ?? '')) throw error
      log.warn(
        { error, queryId: query.id },
        'the owner of a stale verified query cannot be asked; `verified list` shows it',
      )
    }
  }
}

const post = async (
  poster: WebClient,
  channel: string,
  query: KeptVerifiedQuery,
  key: StalenessKey,
): Promise<string> => {
  const { text, blocks } = staleVerifiedView({ ...query, key, reasons: query.staleness?.reasons ?? [] })
  const posted = await poster.chat.postMessage({
    channel,
    text,
    blocks: [...blocks] as never,
    unfurl_links: false,
    unfurl_media: false,
    metadata: { event_type: METADATA_TYPE, event_payload: { key: writeStalenessKey(key) } },
  })
  return String(posted.ts)
}

/** Our message about this key among the last of the conversation. */
const findNotice = async (client: WebClient, channel: string, key: StalenessKey): Promise<string | null> => {
  const { messages } = await client.conversations.history({
    channel,
    include_all_metadata: true,
    limit: 200,
  })
  const ours = messages?.find(({ metadata }) => {
    const payload = metadata?.event_payload as { key?: unknown } | undefined
    return metadata?.event_type === METADATA_TYPE && payload?.key === writeStalenessKey(key)
  })
  return ours?.ts ?? null
}
