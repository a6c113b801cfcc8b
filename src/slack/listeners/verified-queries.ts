import type { View } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import type { ResolveStaleResult, StalenessKey, StoredVerifiedQuery } from '../../domain/verified-query.ts'
import type { SlackMessage } from '../block-kit/blocks.ts'
import { otherQueryTakenText } from '../copy/answer-actions.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { sqlModal } from '../views/sql-modal.ts'
import { readStalenessKey, settledVerifiedView, staleVerifiedView } from '../views/verified-query.ts'
import { type Background, type ButtonClickArgs, readClick } from './clicks-and-forms.ts'

/** `Keep` and `Remove` on a stale verified query. Keeping runs the query, which may take longer than Slack waits. */
export const makeSettleVerifiedClick =
  (
    decision: 'keep' | 'remove',
    { resolveStaleVerified }: Pick<SlackUseCases, 'resolveStaleVerified'>,
    background: Background,
  ) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    await ack()
    const key = readStalenessKey(action.value)
    const click = readClick(body)
    if (!key || !click) return
    background.run('settling a verified query', async () => {
      const settled = await resolveStaleVerified({
        key,
        decision,
        by: click.person,
        team: click.team,
        ownerOnly: true,
      })
      const message = settledMessage(settled, key)
      if (message !== null) await replaceMessage(client, click, message)
    })
  }

/** Null for a click of another person, who has no such message: the payload was forged. */
const settledMessage = (settled: ResolveStaleResult, key: StalenessKey): SlackMessage | null => {
  const stillStale = (query: StoredVerifiedQuery, note: string): SlackMessage =>
    staleVerifiedView({ ...query, key, reasons: query.staleness?.reasons ?? [], note })
  switch (settled.status) {
    case 'kept':
    case 'removed':
    case 'settled':
      return settledVerifiedView(settled)
    case 'unfit':
      return stillStale(settled.query, settled.reason)
    case 'taken':
      return stillStale(settled.query, otherQueryTakenText)
    case 'not-theirs':
      return null
    default: {
      const never: never = settled
      return never
    }
  }
}

const replaceMessage = async (
  client: WebClient,
  { channel, message }: { readonly channel: string; readonly message: string },
  { text, blocks }: SlackMessage,
): Promise<void> => {
  await client.chat.update({ channel, ts: message, text, blocks: [...blocks] as never })
}

/** `Show SQL` on a stale verified query, for its owner. */
export const makeShowVerifiedSql =
  ({ findVerified }: Pick<SlackUseCases, 'findVerified'>) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    await ack()
    const key = readStalenessKey(action.value)
    const click = readClick(body)
    const query = key && click ? await findVerified(key.queryId, click) : null
    if (!click || query?.savedBy !== click.person) return
    const view = sqlModal({ sql: query.sql, assumptions: [] })
    await client.views.open({ trigger_id: body.trigger_id, view: view as View })
  }
