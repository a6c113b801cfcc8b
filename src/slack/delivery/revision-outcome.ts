import type { View } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import type { AnsweredQuestion, FindAnsweredQuestion } from '../../domain/answer.ts'
import type { RevisionOutcome, RevisionRequest, RevisionResult } from '../../domain/answer-revision.ts'
import type { ReviewRequest } from '../../domain/feedback.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import { type Modal, noticeModal } from '../block-kit/modal.ts'
import { escapeSentence, truncateText } from '../block-kit/text.ts'
import { answerGoneText } from '../copy/answer.ts'
import { revisionTexts } from '../copy/answer-actions.ts'
import { alreadyDecidedText, withNextStep } from '../copy/phrases.ts'
import { LONGEST_ERROR } from '../views/replies.ts'
import { editSqlModal } from '../views/sql-modal.ts'

/** Tells the person who asked for a change of an answer how it ended, and nobody else. Does not reject. */
type NotifyRevisionOutcome = (request: RevisionRequest, outcome: RevisionOutcome | 'done') => Promise<void>

/**
 * The form shows how it ended, or comes back with what was wrong. If it was closed meanwhile, a failure is told in the
 * thread, to that person only; a change that worked needs no words there.
 */
export const makeNotifyRevisionOutcome =
  (deps: {
    readonly client: WebClient
    readonly findAnswered: FindAnsweredQuestion
    readonly findRequest: (questionId: string) => Promise<Pick<ReviewRequest, 'channel'> | null>
    readonly log: Log
  }): NotifyRevisionOutcome =>
  async (request, outcome) => {
    const { client, log } = deps
    const { questionId, person, by, submission } = request
    try {
      const answered = await deps.findAnswered(questionId)
      const problem = outcome === 'done' ? null : formatOutcome(outcome)
      const view =
        problem === null ? noticeModal(revisionTexts.done) : reopenForm(request, outcome, answered, problem)
      if (by !== 'reading' && (await updateModal(client, submission, view))) return
      if (problem === null || !answered) return
      // A reviewer may not be in the channel of the question.
      const review = by === 'fix' ? await deps.findRequest(questionId) : null
      const { channel, thread } = answered.location
      const canConfirm = outcome !== 'done' && outcome.status === 'too-heavy' && by !== 'reading'
      await client.chat.postEphemeral({
        ...(review ? { channel: review.channel } : { channel, thread_ts: thread }),
        user: person,
        text: escapeSentence(canConfirm ? `${problem} ${revisionTexts.useFormAgain}` : problem),
      })
    } catch (error) {
      // A notice that failed is no reason to repeat the change.
      log.warn({ error, questionId }, 'the outcome of a changed answer could not be told')
    }
  }

const formatOutcome = (outcome: RevisionOutcome): string | null => {
  if (outcome.status === 'unshown') return revisionTexts.notShown.text
  return outcome.status === 'broken' ? revisionTexts.broken(outcome.reason) : formatRevisionFailure(outcome)
}

const reopenForm = (
  { questionId, by, change }: RevisionRequest,
  outcome: RevisionOutcome | 'done',
  answered: AnsweredQuestion | null,
  problem: string,
): Modal => {
  const status = outcome === 'done' ? 'done' : outcome.status
  if (status === 'unshown') return noticeModal(revisionTexts.notShown)
  // A person who may no longer see the answer keeps their own SQL, and is shown none of ours.
  const isHidden = status === 'not-allowed' && change.kind === 'pick'
  if (!answered || isHidden) return noticeModal({ ...revisionTexts.notChanged, text: problem })
  return editSqlModal({
    purpose: by === 'fix' ? 'fix' : 'edit',
    questionId,
    question: answered.question.text,
    sql: change.kind === 'sql' ? change.sql : answered.sql,
    problem: { is: status === 'too-heavy' ? 'too-heavy' : 'wrong', message: problem },
  })
}

/** False if the form is no longer open. */
const updateModal = async (client: WebClient, view_id: string, view: Modal): Promise<boolean> => {
  try {
    await client.views.update({ view_id, view: view as View })
    return true
  } catch {
    return false
  }
}

/** Why an answer was not changed, and what to do; null if it was. */
export const formatRevisionFailure = (result: RevisionResult): string | null => {
  switch (result.status) {
    case 'revised':
      return null
    case 'late':
      return alreadyDecidedText
    case 'unfit':
      return revisionTexts.unfit(truncateText(result.reason, LONGEST_ERROR))
    case 'too-heavy':
      return result.reason
    case 'gone':
      return answerGoneText
    case 'not-allowed':
      return withNextStep(result)
    default: {
      const never: never = result
      return never
    }
  }
}
