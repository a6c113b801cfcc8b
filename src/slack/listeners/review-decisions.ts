import type { AllMiddlewareArgs, BlockAction, ButtonAction, SlackViewMiddlewareArgs } from '@slack/bolt'
import type { View } from '@slack/types'
import type { AnsweredQuestion } from '../../domain/answer.ts'
import type { ReviewRequest } from '../../domain/feedback.ts'
import type { Modal } from '../block-kit/modal.ts'
import { rejectForm } from '../copy/answer-actions.ts'
import { alreadyDecidedText, withNextStep } from '../copy/phrases.ts'
import { sendEphemeral } from '../delivery/private-messages.ts'
import type { AnswerUseCases } from '../use-cases.ts'
import { rejectFormIds, rejectModal } from '../views/review.ts'
import { editSqlModal, sqlModal } from '../views/sql-modal.ts'
import {
  type Background,
  type ButtonClickArgs,
  type Click,
  findSubmittedAnswer,
  readClick,
} from './clicks-and-forms.ts'

type ReviewClick = NonNullable<Awaited<ReturnType<typeof findReviewClick>>>

/** `Approve`: the decision is stored with the job that carries it out, before Slack is answered. */
export const makeReviewApprove =
  (
    deps: Pick<AnswerUseCases, 'findAnswered' | 'findReviewRequest' | 'decideReview' | 'feedback'>,
    background: Background,
  ) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    const clicked = await findReviewClick(deps, body, action)
    if (clicked) {
      const { questionId } = clicked.request
      const { person } = clicked.click
      const decided = await deps.decideReview({ questionId, decision: 'approved', person, reason: null })
      if (decided !== 'taken') await sendEphemeral(client, clicked.click, formatDecisionRefusal(decided))
      else {
        background.run('noting an approval', () =>
          deps.feedback({ questionId, person, feedback: { kind: 'verification' } }),
        )
      }
    }
    await ack()
  }

type ReviewFormDeps = Pick<AnswerUseCases, 'findAnswered' | 'findReviewRequest' | 'findReviewRefusal'>

/** Opens a modal about an open review request; a decided one gets a notice instead, and so does a person without rights to its rows. */
const makeOpenReviewModal =
  (
    deps: ReviewFormDeps,
    modalOf: (found: ReviewClick) => Modal,
    { isForDecided }: { readonly isForDecided: boolean } = { isForDecided: false },
  ) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    await ack()
    const clicked = await findReviewClick(deps, body, action)
    if (!clicked) return
    if (clicked.request.decided && !isForDecided)
      return sendEphemeral(client, clicked.click, alreadyDecidedText)
    // The request was posted while everyone here could see its rows; this person may have come since.
    const refused = await deps.findReviewRefusal(clicked.request.questionId, clicked.click.person)
    if (refused) return sendEphemeral(client, clicked.click, withNextStep(refused))
    await client.views.open({ trigger_id: body.trigger_id, view: modalOf(clicked) as View })
  }

/** `Fix SQL`: the query under review, in a form. */
export const makeReviewFix = (deps: ReviewFormDeps) =>
  makeOpenReviewModal(deps, ({ request, answered }) =>
    editSqlModal({
      purpose: 'fix',
      questionId: request.questionId,
      question: answered.question.text,
      sql: request.sql,
    }),
  )

/** `Reject`: asks why. */
export const makeReviewReject = (deps: ReviewFormDeps) =>
  makeOpenReviewModal(deps, ({ request }) => rejectModal(request.questionId))

/** `Show SQL` of a request, decided or not. */
export const makeReviewShowSql = (deps: ReviewFormDeps) =>
  makeOpenReviewModal(deps, ({ request }) => sqlModal({ sql: request.sql, assumptions: [] }), {
    isForDecided: true,
  })

/** `Reject`, submitted: the decision is stored with the job that tells the thread. */
export const makeRejectSubmitted =
  (
    {
      findAnswered,
      decideReview,
      feedback,
    }: Pick<AnswerUseCases, 'findAnswered' | 'decideReview' | 'feedback'>,
    background: Background,
  ) =>
  async (args: SlackViewMiddlewareArgs & AllMiddlewareArgs): Promise<void> => {
    const { ack, body, view } = args
    const reason = view.state.values[rejectFormIds.block]?.[rejectFormIds.action]?.value?.trim() ?? ''
    const refuse = (error: string) =>
      ack({ response_action: 'errors', errors: { [rejectFormIds.block]: error } })
    if (reason === '') return refuse(rejectForm.empty)
    const answered = await findSubmittedAnswer(findAnswered, args)
    if (answered) {
      const questionId = answered.question.id
      const person = body.user.id
      const decided = await decideReview({ questionId, decision: 'rejected', person, reason })
      if (decided !== 'taken') return refuse(formatDecisionRefusal(decided))
      background.run('noting a rejection', () =>
        feedback({ questionId, person, feedback: { kind: 'reason', reason: 'other', note: reason } }),
      )
    }
    await ack()
  }

/**
 * A click on a review request; null if it is not in the channel where that was posted: only people in there can decide.
 */
const findReviewClick = async (
  { findAnswered, findReviewRequest }: Pick<AnswerUseCases, 'findAnswered' | 'findReviewRequest'>,
  body: BlockAction,
  action: ButtonAction,
): Promise<{
  readonly click: Click
  readonly request: ReviewRequest
  readonly answered: AnsweredQuestion
} | null> => {
  const click = readClick(body)
  const request = click && action.value ? await findReviewRequest(action.value) : null
  const answered = request && (await findAnswered(request.questionId))
  if (!click || !request || !answered) return null
  return click.channel === request.channel && click.team === answered.location.team
    ? { click, request, answered }
    : null
}

type DecisionRefusal = Exclude<Awaited<ReturnType<AnswerUseCases['decideReview']>>, 'taken'>

/** Why a decision about an answer does not count, and what to do. Of two reviewers, the first one decides. */
const formatDecisionRefusal = (reply: DecisionRefusal): string =>
  typeof reply === 'string' ? alreadyDecidedText : withNextStep(reply)
