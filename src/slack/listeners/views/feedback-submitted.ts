import type { AllMiddlewareArgs, SlackViewMiddlewareArgs } from '@slack/bolt'
import { feedbackReasons } from '../../../core/feedback.ts'
import type { AnswerUseCases } from '../../answer-use-cases.ts'
import { editModal } from '../../views/edit-modal.ts'
import { feedbackForm } from '../../views/feedback-modal.ts'
import type { Background } from '../background.ts'
import { onSubmittedAnswer } from '../on-submitted-answer.ts'
import { reviseInModal } from '../revise-in-modal.ts'

type Deps = Pick<AnswerUseCases, 'findAnswered' | 'rerunSql' | 'pickResult' | 'feedback' | 'showAnswer'>

/** What was wrong, submitted: the reason is kept; SQL or a picked result takes the place of the answer. */
export const makeFeedbackSubmitted =
  (deps: Deps, background: Background) =>
  async (args: SlackViewMiddlewareArgs & AllMiddlewareArgs): Promise<void> => {
    const { ack, body, view } = args
    const answered = await onSubmittedAnswer(deps.findAnswered, args)
    if (!answered) {
      await ack()
      return
    }
    const { feedback, showAnswer } = deps
    const questionId = answered.question.id
    const person = body.user.id
    const given = readForm(view.state.values)
    const keepReason = async (): Promise<void> => {
      if (given.reason === null && given.note === null) return
      const reason = given.reason ?? 'other'
      await feedback({ questionId, person, feedback: { kind: 'reason', reason, note: given.note } })
    }
    const request = `feedback ${view.id}`
    const { sql, candidateId } = given
    if (sql !== null) {
      await reviseInModal(args, background, {
        work: deps.rerunSql({ questionId, sql, person, request }).then(async revised => {
          // The form in which it is decided whether it runs knows nothing of the rest of this one.
          if (revised.status === 'too-heavy') await keepReason()
          return revised
        }),
        done: async ({ groupKey }) => {
          await showAnswer(questionId)
          await keepReason()
          await feedback({ questionId, person, feedback: { kind: 'sql', sql, groupKey } })
        },
        errorBlock: feedbackForm.sql,
        formAgain: problem =>
          editModal({ purpose: 'edit', questionId, question: answered.question.text, sql, problem }),
        place: answered.place,
      })
    } else if (candidateId !== null) {
      await reviseInModal(args, background, {
        work: deps.pickResult({ questionId, candidateId, person, request }),
        done: async ({ groupKey }) => {
          await showAnswer(questionId)
          await keepReason()
          await feedback({ questionId, person, feedback: { kind: 'alternative', groupKey } })
        },
        errorBlock: feedbackForm.other,
        formAgain: problem =>
          editModal({
            purpose: 'edit',
            questionId,
            question: answered.question.text,
            sql: answered.sql,
            problem,
          }),
        place: answered.place,
      })
    } else {
      await keepReason()
      await ack()
    }
  }

type Values = SlackViewMiddlewareArgs['view']['state']['values']

const readForm = (values: Values) => {
  const field = (block: string) => values[block]?.[feedbackForm.action]
  const words = (block: string): string | null => field(block)?.value?.trim() || null
  const chosen = (block: string): string | null => field(block)?.selected_option?.value ?? null
  const reason = chosen(feedbackForm.reason)
  return {
    reason: feedbackReasons.find(known => known === reason) ?? null,
    note: words(feedbackForm.note),
    sql: words(feedbackForm.sql),
    candidateId: chosen(feedbackForm.other),
  }
}
