import type { View } from '@slack/types'
import type { AnswerUseCases } from '../../answer-use-cases.ts'
import { editSqlModal } from '../../views/edit-modal.ts'
import type { Modal } from '../../views/modal.ts'
import { rejectModal } from '../../views/reject-modal.ts'
import { sqlModal } from '../../views/sql-modal.ts'
import type { Background } from '../background.ts'
import type { ButtonClickArgs } from '../button-click-args.ts'
import { alreadyDecidedText, formatDecisionRefusal } from '../say-not-taken.ts'
import { sendEphemeral } from '../tell-person.ts'
import { findReviewClick } from './human-click.ts'

type ReviewClick = NonNullable<Awaited<ReturnType<typeof findReviewClick>>>

/** `Approve`: the decision is stored with the job that carries it out, before Slack is answered. */
export const makeReviewApprove =
  (
    deps: Pick<AnswerUseCases, 'findAnswered' | 'findRequest' | 'decideRequest' | 'feedback'>,
    background: Background,
  ) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    const on = await findReviewClick(deps, body, action)
    if (on) {
      const { questionId } = on.request
      const { person } = on.click
      const taken = await deps.decideRequest({ questionId, decision: 'approved', person, reason: null })
      if (taken !== 'taken') await sendEphemeral(client, on.click, formatDecisionRefusal(taken))
      else {
        background.run('noting an approval', () =>
          deps.feedback({ questionId, person, feedback: { kind: 'verification' } }),
        )
      }
    }
    await ack()
  }

/** Opens a modal about an open request; says so where it is decided. */
const makeOpenReviewModal =
  (
    deps: Pick<AnswerUseCases, 'findAnswered' | 'findRequest'>,
    modalOf: (found: ReviewClick) => Modal,
    always = false,
  ) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    await ack()
    const on = await findReviewClick(deps, body, action)
    if (!on) return
    if (on.request.decided && !always) return sendEphemeral(client, on.click, alreadyDecidedText)
    await client.views.open({ trigger_id: body.trigger_id, view: modalOf(on) as View })
  }

/** `Fix SQL`: the query that was asked about, in a form. */
export const makeReviewFix = (deps: Pick<AnswerUseCases, 'findAnswered' | 'findRequest'>) =>
  makeOpenReviewModal(deps, ({ request, answered }) =>
    editSqlModal({
      purpose: 'fix',
      questionId: request.questionId,
      question: answered.question.text,
      sql: request.sql,
    }),
  )

/** `Reject`: asks why. */
export const makeReviewReject = (deps: Pick<AnswerUseCases, 'findAnswered' | 'findRequest'>) =>
  makeOpenReviewModal(deps, ({ request }) => rejectModal(request.questionId))

/** `Show SQL` of a request, decided or not. */
export const makeReviewShowSql = (deps: Pick<AnswerUseCases, 'findAnswered' | 'findRequest'>) =>
  makeOpenReviewModal(deps, ({ request }) => sqlModal({ sql: request.sql, assumptions: [] }), true)
