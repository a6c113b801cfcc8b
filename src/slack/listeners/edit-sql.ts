import { setTimeout as sleep } from 'node:timers/promises'
import type { AllMiddlewareArgs, SlackViewMiddlewareArgs } from '@slack/bolt'
import type { View } from '@slack/types'
import type { ReviseAnswer, RevisionRequest, RevisionResult } from '../../domain/answer-revision.ts'
import { QuerentError } from '../../domain/errors.ts'
import { noticeModal } from '../block-kit/modal.ts'
import { emptySqlText, queryRunning } from '../copy/answer-actions.ts'
import { formFailedText } from '../copy/phrases.ts'
import { formatRevisionFailure } from '../delivery/revision-outcome.ts'
import type { AnswerUseCases } from '../use-cases.ts'
import {
  type EditProblem,
  type EditPurpose,
  editSqlModal,
  firstSqlBlock,
  isRunAnywayChecked,
  readSqlInputs,
} from '../views/sql-modal.ts'
import {
  type ButtonClickArgs,
  findReadableAnswer,
  findSubmittedAnswer,
  formTimeoutMs,
} from './clicks-and-forms.ts'

/** `Edit & rerun`: the SQL in a form. */
export const makeEditSqlClick =
  (deps: Pick<AnswerUseCases, 'findAnswered' | 'findRefusal'>) =>
  async (args: ButtonClickArgs): Promise<void> => {
    const { ack, body, client } = args
    await ack()
    const clicked = await findReadableAnswer(deps, args)
    if (!clicked) return
    const { question, sql } = clicked.answered
    const view = editSqlModal({ purpose: 'edit', questionId: question.id, question: question.text, sql })
    await client.views.open({ trigger_id: body.trigger_id, view: view as View })
  }

/** `Edit & rerun` or `Fix SQL`, submitted: the SQL runs like ours, and its result replaces the answer. */
export const makeSqlSubmitted =
  (
    purpose: EditPurpose,
    { findAnswered, reviseAnswer }: Pick<AnswerUseCases, 'findAnswered' | 'reviseAnswer'>,
  ) =>
  async (args: SlackViewMiddlewareArgs & AllMiddlewareArgs): Promise<void> => {
    const { ack, body, view } = args
    const sql = readSqlInputs(view.state.values)
    if (sql === '') {
      await ack({ response_action: 'errors', errors: { [firstSqlBlock]: emptySqlText } })
      return
    }
    const answered = await findSubmittedAnswer(findAnswered, args)
    if (!answered) {
      await ack()
      return
    }
    await reviseFromForm(args, reviseAnswer, {
      request: {
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
 * Changes an answer from a form. A refusal is shown at the field, and the form stays. A query that takes longer than
 * Slack waits is aborted and left to a job, which survives this process and updates the form when it is done.
 */
export const reviseFromForm = async (
  { ack }: Pick<SlackViewMiddlewareArgs & AllMiddlewareArgs, 'ack'>,
  revise: ReviseAnswer,
  given: {
    readonly request: RevisionRequest
    /** The block at which an error is shown. */
    readonly errorBlock: string
    readonly question: string
    /** Fills the form that comes back. */
    readonly sql: string
    /** Called before the form comes back to confirm an expensive query. */
    readonly onTooHeavy?: () => Promise<unknown>
  },
): Promise<void> => {
  const { request, errorBlock, question, sql } = given
  const attempt = new AbortController()
  const attempted = revise.now(request, attempt.signal).catch(toBrokenRevision)
  const timer = new AbortController()
  const revised = await Promise.race([
    attempted,
    sleep(formTimeoutMs, null, { signal: timer.signal }).catch(() => null),
  ])
  timer.abort()
  if (revised === null) {
    attempt.abort(new QuerentError('cancelled', 'it takes longer than a form waits and is left to a job'))
    await revise.later(request)
    await ack({ response_action: 'update', view: runningModal as View })
  } else if (revised.status === 'revised') {
    await ack()
  } else if (revised.status === 'too-heavy') {
    await given.onTooHeavy?.()
    const problem: EditProblem = { is: 'too-heavy', message: revised.reason }
    const { questionId } = request
    const purpose = request.by === 'fix' ? 'fix' : 'edit'
    const reopened = editSqlModal({ purpose, questionId, question, sql, problem })
    await ack({ response_action: 'update', view: reopened as View })
  } else {
    const problem = revised.status === 'broke' ? revised.reason : formatRevisionFailure(revised)
    await ack({ response_action: 'errors', errors: { [errorBlock]: problem ?? '' } })
  }
}

const runningModal = noticeModal(queryRunning)

const toBrokenRevision = (
  error: unknown,
): RevisionResult | { readonly status: 'broke'; readonly reason: string } => ({
  status: 'broke',
  reason: error instanceof QuerentError ? error.message : formFailedText,
})
