import type { AllMiddlewareArgs, SlackViewMiddlewareArgs } from '@slack/bolt'
import { feedbackReasons } from '../../../core/feedback.ts'
import type { RevisionRequest } from '../../../core/wanted-revision.ts'
import type { AnswerUseCases } from '../../answer-use-cases.ts'
import { feedbackFormIds } from '../../views/feedback-modal.ts'
import { findSubmittedAnswer } from '../on-submitted-answer.ts'
import { reviseFromForm } from '../revise-in-modal.ts'

/** What was wrong, submitted: the reason is kept; SQL or a picked result takes the place of the answer. */
export const makeFeedbackSubmitted =
  ({
    findAnswered,
    reviseAnswer,
    feedback,
  }: Pick<AnswerUseCases, 'findAnswered' | 'reviseAnswer' | 'feedback'>) =>
  async (args: SlackViewMiddlewareArgs & AllMiddlewareArgs): Promise<void> => {
    const { ack, body, view } = args
    const answered = await findSubmittedAnswer(findAnswered, args)
    if (!answered) {
      await ack()
      return
    }
    const questionId = answered.question.id
    const person = body.user.id
    const { reason, sql, candidateId } = readFeedbackForm(view.state.values)
    const keepReason = async (): Promise<void> => {
      if (reason) await feedback({ questionId, person, feedback: { kind: 'reason', ...reason } })
    }
    const change: RevisionRequest['change'] | null =
      sql !== null
        ? { kind: 'sql', sql, evenIfHeavy: false }
        : candidateId !== null
          ? { kind: 'pick', candidateId }
          : null
    if (change === null) {
      await keepReason()
      await ack()
      return
    }
    await reviseFromForm(args, reviseAnswer, {
      wanted: { questionId, person, by: 'feedback', submission: view.id, change, reason },
      errorBlock: change.kind === 'sql' ? feedbackFormIds.sql : feedbackFormIds.other,
      question: answered.question.text,
      sql: sql ?? answered.sql,
      // The form in which it is decided whether it runs knows nothing of the rest of this one.
      onTooHeavy: keepReason,
    })
  }

type Values = SlackViewMiddlewareArgs['view']['state']['values']

const readFeedbackForm = (values: Values) => {
  const field = (block: string) => values[block]?.[feedbackFormIds.action]
  const words = (block: string): string | null => field(block)?.value?.trim() || null
  const chosen = (block: string): string | null => field(block)?.selected_option?.value ?? null
  const reason = chosen(feedbackFormIds.reason)
  const known = feedbackReasons.find(known => known === reason) ?? null
  const note = words(feedbackFormIds.note)
  return {
    reason: known === null && note === null ? null : { reason: known ?? ('other' as const), note },
    sql: words(feedbackFormIds.sql),
    candidateId: chosen(feedbackFormIds.other),
  }
}
