import type { View } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import type { AnsweredQuestion, FindAnsweredQuestion } from '../../domain/answer.ts'
import type { RevisionOutcome, RevisionRequest, RevisionResult } from '../../domain/answer-revision.ts'
import type { ReviewRequest } from '../../domain/feedback.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import { type Modal, noticeModal } from '../block-kit/modal.ts'
import { escapeMrkdwn, truncateText } from '../block-kit/text.ts'
import { editSqlModal } from '../views/edit-sql-modal.ts'

/** Tells whoever wanted an answer changed how that ended, and nobody else. Does not reject. */
type NotifyRevisionOutcome = (wanted: RevisionRequest, ended: RevisionOutcome | 'done') => Promise<void>

/**
 * Makes it. The form says how it ended, or comes back with what was wrong. Where it was closed meanwhile, what went wrong
 * is said in the thread, to that person alone; a change needs no words there.
 */
export const makeNotifyRevisionOutcome =
  (deps: {
    readonly client: WebClient
    readonly findAnswered: FindAnsweredQuestion
    readonly findRequest: (questionId: string) => Promise<Pick<ReviewRequest, 'channel'> | null>
    readonly log: Log
  }): NotifyRevisionOutcome =>
  async (wanted, ended) => {
    const { client, log } = deps
    const { questionId, person, by, submission } = wanted
    try {
      const answered = await deps.findAnswered(questionId)
      const said = ended === 'done' ? null : formatEndedRevision(ended)
      const view = said === null ? doneModal : reopenForm(wanted, ended, answered, said)
      if (by !== 'reading' && (await updateModal(client, submission, view))) return
      if (said === null || !answered) return
      // Whoever was asked to look at an answer need not be where it was asked.
      const elsewhere = by === 'fix' ? await deps.findRequest(questionId) : null
      const { channel, thread } = answered.location
      await client.chat.postEphemeral({
        ...(elsewhere ? { channel: elsewhere.channel } : { channel, thread_ts: thread }),
        user: person,
        text: escapeMrkdwn(
          ended !== 'done' && ended.status === 'too-heavy' && by !== 'reading'
            ? `${said} ${useFormAgainHint}`
            : said,
        ),
      })
    } catch (error) {
      // A word alone is no reason to do it all again.
      log.warn({ error, questionId }, 'nobody could be told how a change of an answer ended')
    }
  }

const doneModal = noticeModal('Done', 'The answer in the thread shows your result now.')

const formatEndedRevision = (ended: RevisionOutcome): string | null => {
  if (ended.status === 'unshown')
    return 'Your change was made and stands, but I could not change the message in the thread to show it. Show SQL and Export CSV below it have your result.'
  return ended.status === 'broken' ? `It could not be done: ${ended.reason}` : formatRevisionFailure(ended)
}

const reopenForm = (
  { questionId, by, change }: RevisionRequest,
  ended: RevisionOutcome | 'done',
  answered: AnsweredQuestion | null,
  said: string,
): Modal => {
  if (ended !== 'done' && ended.status === 'unshown') return noticeModal('Done, but not shown', said)
  // Whoever may not see the answer any more has SQL of their own to keep, and is shown none of ours.
  const isShut = ended !== 'done' && ended.status === 'not-allowed' && change.kind === 'pick'
  if (!answered || isShut) return noticeModal('Not changed', said)
  const is = ended !== 'done' && ended.status === 'too-heavy' ? 'too-heavy' : 'wrong'
  return editSqlModal({
    purpose: by === 'fix' ? 'fix' : 'edit',
    questionId,
    question: answered.question.text,
    sql: change.kind === 'sql' ? change.sql : answered.sql,
    problem: { is, said },
  })
}

/** False where the form is not open any more. */
const updateModal = async (client: WebClient, view_id: string, view: Modal): Promise<boolean> => {
  try {
    await client.views.update({ view_id, view: view as View })
    return true
  } catch {
    return false
  }
}

/** Errors of a database may be long and may quote data; this much of one is shown. */
const LONGEST_REASON = 500

/** For whoever closed the form in which it would be decided. */
const useFormAgainHint = 'Use the form again to have it run all the same.'

/** Why an answer was not changed, and what to do; null when it was. */
export const formatRevisionFailure = (revised: RevisionResult): string | null => {
  switch (revised.status) {
    case 'revised':
      return null
    case 'late':
      return 'Somebody was faster: this was decided already.'
    case 'unfit':
      return `Not run: ${truncateText(revised.reason, LONGEST_REASON)}`
    case 'too-heavy':
      return revised.reason
    case 'gone':
      return 'This answer is no longer kept. Ask the question again.'
    case 'not-allowed':
      return `${revised.reason} ${revised.nextStep}`
    default: {
      const never: never = revised
      return never
    }
  }
}
