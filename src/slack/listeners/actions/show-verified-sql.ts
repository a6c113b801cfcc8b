import type { View } from '@slack/types'
import type { SlackUseCases } from '../../use-cases.ts'
import { sqlModal } from '../../views/sql-modal.ts'
import { readStalenessKey } from '../../views/staleness-key.ts'
import type { ButtonClickArgs } from '../button-click-args.ts'
import { readClick } from '../click.ts'

/** `Show SQL` on a stale verified query, for its owner. */
export const makeShowVerifiedSql =
  ({ findVerified }: Pick<SlackUseCases, 'findVerified'>) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    await ack()
    const key = readStalenessKey(action.value)
    const click = readClick(body)
    const query = key && click ? await findVerified(key.queryId) : null
    if (!click || query?.savedBy !== click.person) return
    const view = sqlModal({ sql: query.sql, assumptions: [] })
    await client.views.open({ trigger_id: body.trigger_id, view: view as View })
  }
