import type { AllMiddlewareArgs, SlackViewMiddlewareArgs } from '@slack/bolt'
import type { AnswerUseCases } from '../../answer-use-cases.ts'
import {
  type EditPurpose,
  editModal,
  firstSqlBlock,
  readSqlPieces,
  saysRunAnyway,
} from '../../views/edit-modal.ts'
import type { Background } from '../background.ts'
import { onSubmittedAnswer } from '../on-submitted-answer.ts'
import { reviseInModal } from '../revise-in-modal.ts'

/** `Edit & rerun` or `Fix SQL`, submitted: the SQL runs as mine does, and its result takes the place of the answer. */
export const makeSqlSubmitted =
  (
    purpose: EditPurpose,
    {
      findAnswered,
      rerunSql,
      fixSql,
      feedback,
      showAnswer,
    }: Pick<AnswerUseCases, 'findAnswered' | 'rerunSql' | 'fixSql' | 'feedback' | 'showAnswer'>,
    background: Background,
  ) =>
  async (args: SlackViewMiddlewareArgs & AllMiddlewareArgs): Promise<void> => {
    const { ack, body, view } = args
    const sql = readSqlPieces(view.state.values)
    if (sql === '') {
      await ack({ response_action: 'errors', errors: { [firstSqlBlock]: 'Write a query to run.' } })
      return
    }
    const answered = await onSubmittedAnswer(findAnswered, args)
    if (!answered) {
      await ack()
      return
    }
    const questionId = answered.question.id
    const person = body.user.id
    const run = purpose === 'fix' ? fixSql : rerunSql
    const evenIfHeavy = saysRunAnyway(view.state.values)
    await reviseInModal(args, background, {
      work: run({ questionId, sql, evenIfHeavy, person, request: `${purpose} ${view.id}` }),
      done: async ({ groupKey }) => {
        // A fix is shown by the job that carries out the decision.
        if (purpose === 'edit') await showAnswer(questionId)
        const kind = purpose === 'fix' ? 'sql' : 'edit'
        await feedback({ questionId, person, feedback: { kind, sql, groupKey } })
      },
      errorBlock: firstSqlBlock,
      formAgain: problem =>
        editModal({ purpose, questionId, question: answered.question.text, sql, problem }),
      place: answered.place,
    })
  }
