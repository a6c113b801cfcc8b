import type { View } from '@slack/types'
import type { AnswerUseCases } from '../../answer-use-cases.ts'
import { editSqlModal } from '../../views/edit-modal.ts'
import type { ButtonClickArgs } from '../button-click-args.ts'
import { findClickedAnswer } from '../click-on-answer.ts'

/** `Edit & rerun`: the SQL in a form. */
export const makeEditSqlClick =
  ({ findAnswered }: Pick<AnswerUseCases, 'findAnswered'>) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    await ack()
    const on = await findClickedAnswer(findAnswered, body, action)
    if (!on) return
    const { question, sql } = on.answered
    const view = editSqlModal({ purpose: 'edit', questionId: question.id, question: question.text, sql })
    await client.views.open({ trigger_id: body.trigger_id, view: view as View })
  }
