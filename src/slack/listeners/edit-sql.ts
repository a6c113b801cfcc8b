import { setTimeout as sleep } from 'node:timers/promises'
import type { AllMiddlewareArgs, SlackViewMiddlewareArgs } from '@slack/bolt'
import type { View } from '@slack/types'
import type { ReviseAnswer, RevisionRequest, RevisionResult } from '../../domain/answer-revision.ts'
import { QuerentError } from '../../domain/errors.ts'
import { noticeModal } from '../block-kit/modal.ts'
import { formatRevisionFailure } from '../delivery/revision-outcome.ts'
import type { AnswerUseCases } from '../use-cases.ts'
import {
  type EditProblem,
  type EditPurpose,
  editSqlModal,
  firstSqlBlock,
  isRunAnywayChecked,
  readSqlInputs,
} from '../views/edit-sql-modal.ts'
import { formTimeoutMs } from './background.ts'
import { type ButtonClickArgs, findClickedAnswer, findSubmittedAnswer } from './clicks.ts'

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

/**
 * Changes an answer from a form. What is refused is said at the field, and the form stays. What takes longer than Slack
 * waits is given up and left to a job, which does it whatever becomes of this process, and tells the form how it ended.
 */
export const reviseFromForm = async (
  { ack }: Pick<SlackViewMiddlewareArgs & AllMiddlewareArgs, 'ack'>,
  revise: ReviseAnswer,
  given: {
    readonly wanted: RevisionRequest
    /** Where what is wrong is shown. */
    readonly errorBlock: string
    readonly question: string
    /** To begin with in the form that comes back. */
    readonly sql: string
    /** Called before the form comes back with something to decide. */
    readonly onTooHeavy?: () => Promise<unknown>
  },
): Promise<void> => {
  const { wanted, errorBlock, question, sql } = given
  const attempt = new AbortController()
  const trying = revise.now(wanted, attempt.signal).catch(toBrokenRevision)
  const waited = new AbortController()
  const revised = await Promise.race([
    trying,
    sleep(formTimeoutMs, null, { signal: waited.signal }).catch(() => null),
  ])
  waited.abort()
  if (revised === null) {
    attempt.abort(new QuerentError('cancelled', 'it takes longer than a form waits, and is left to a job'))
    await revise.later(wanted)
    await ack({ response_action: 'update', view: runningModal as View })
  } else if (revised.status === 'revised') {
    await ack()
  } else if (revised.status === 'too-heavy') {
    await given.onTooHeavy?.()
    const problem: EditProblem = { is: 'too-heavy', said: revised.reason }
    const { questionId } = wanted
    const purpose = wanted.by === 'fix' ? 'fix' : 'edit'
    const again = editSqlModal({ purpose, questionId, question, sql, problem })
    await ack({ response_action: 'update', view: again as View })
  } else {
    const problem = revised.status === 'broke' ? revised.reason : formatRevisionFailure(revised)
    await ack({ response_action: 'errors', errors: { [errorBlock]: problem ?? '' } })
  }
}

const runningModal = noticeModal(
  'Running',
  'The query is running. You may close this: the answer in the thread changes when it is done.',
)

const toBrokenRevision = (
  error: unknown,
): RevisionResult | { readonly status: 'broke'; readonly reason: string } => ({
  status: 'broke',
  reason:
    error instanceof QuerentError ? error.message : 'something went wrong on my side. Try again in a moment.',
})
