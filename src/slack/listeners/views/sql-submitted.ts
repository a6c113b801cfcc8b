import type { AllMiddlewareArgs, SlackViewMiddlewareArgs } from '@slack/bolt'
import type { AnswerUseCases } from '../../answer-use-cases.ts'
import { type EditPurpose, firstSqlBlock, isRunAnywayChecked, readSqlInputs } from '../../views/edit-modal.ts'
import { findSubmittedAnswer } from '../on-submitted-answer.ts'
import { reviseFromForm } from '../revise-in-modal.ts'

/** `Edit & rerun` or `Fix SQL`, submitted: the SQL runs as mine does, and its result takes the place of the answer. */
export const makeSqlSubmitted =
  (
    purpose: EditPurpose,
    { findAnswered, reviseAnswer }: Pick<AnswerUseCases, 'findAnswered' | 'reviseAnswer'>,
  ) =>
  async (args: SlackViewMiddlewareArgs & AllMiddlewareArgs): Promise<void> => {
    const { ack, body, view } = args
    const sql = readSqlInputs(view.state.values)
    if (sql === '') {
      await ack({ response_action: 'errors', errors: { [firstSqlBlock]: 'Write a query to run.' } })
      return
    }
    const answered = await findSubmittedAnswer(findAnswered, args)
    if (!answered) {
      await ack()
      return
    }
    await reviseFromForm(args, reviseAnswer, {
      wanted: {
        questionId: answered.question.id,
        person: body.user.id,
        by: purpose,
        submission: view.id,
        change: { kind: 'sql', sql, evenIfHeavy: isRunAnywayChecked(view.state.values) },
        reason: null,
      },
      errorBlock: firstSqlBlock,
      question: answered.question.text,
      sql,
    })
  }
