import type { View } from '@slack/types'
import type { SlackUseCases } from '../../use-cases.ts'
import { sqlModal } from '../../views/sql-modal.ts'
import type { ButtonClickArgs } from '../button-click-args.ts'
import { findClickedAnswer } from '../click-on-answer.ts'

/** `Show SQL`: the statement behind the answer, in a modal. */
export const makeShowSqlClick =
  ({ findAnswered }: Pick<SlackUseCases, 'findAnswered'>) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    await ack()
    const on = await findClickedAnswer(findAnswered, body, action)
    if (!on) return
    await client.views.open({ trigger_id: body.trigger_id, view: sqlModal(on.answered) as View })
  }
