import type { AllMiddlewareArgs, BlockAction, ButtonAction, SlackActionMiddlewareArgs } from '@slack/bolt'
import type { View } from '@slack/types'
import type { SlackUseCases } from '../../use-cases.ts'
import { sqlModal } from '../../views/sql-modal.ts'
import { isClickOn, readClick } from '../click.ts'

/** `Show SQL`: the statement behind the answer, in a modal. */
export const makeShowSql =
  ({ findAnswered }: Pick<SlackUseCases, 'findAnswered'>) =>
  async ({
    ack,
    action,
    body,
    client,
  }: SlackActionMiddlewareArgs<BlockAction<ButtonAction>> & AllMiddlewareArgs): Promise<void> => {
    await ack()
    const click = readClick(body)
    const answered = await findAnswered(action.value ?? '')
    if (!click || !answered || !isClickOn(click, answered)) return
    await client.views.open({ trigger_id: body.trigger_id, view: sqlModal(answered) as View })
  }
