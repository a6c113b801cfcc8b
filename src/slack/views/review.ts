import type { AnsweredQuestion } from '../../domain/answer.ts'
import { parseDatabaseRef } from '../../domain/database.ts'
import type { ReviewDecision, ReviewRequest } from '../../domain/feedback.ts'
import type { ResultTable } from '../../domain/result.ts'
import { actionIds, callbackIds } from '../action-ids.ts'
import { plainReply } from '../block-kit/blocks.ts'
import type { SlackMessage } from '../block-kit/message.ts'
import { type Modal, textInputModal } from '../block-kit/modal.ts'
import type { SlackBlock } from '../block-kit/schema.ts'
import { tableBlock } from '../block-kit/table.ts'
import { escapeAndTruncate, escapeMrkdwn, fallbackText, mention } from '../block-kit/text.ts'

const ROWS_SHOWN = 10

/** A query longer than this is in a modal, whole. */
const LONGEST_SQL = 2_000

/** What people are shown who look at answers. */
interface ReviewRequestView {
  readonly request: ReviewRequest
  readonly question: AnsweredQuestion['question']
  /** Null where the rows are no longer kept. */
  readonly table: ResultTable | null
}

const decisionLabels: Record<ReviewDecision, string> = {
  approved: 'confirmed it',
  fixed: 'corrected it',
  rejected: 'found it wrong',
}

/** An answer to look at: question, result, SQL, and what to decide; or, once decided, by whom and how. */
export const reviewRequestView = ({ request, question, table }: ReviewRequestView): SlackMessage => {
  const fitted = table && tableBlock({ ...table, rows: table.rows.slice(0, ROWS_SHOWN) })
  return {
    text: fallbackText(`Somebody asks whether this answer is right: ${question.text}`),
    blocks: [
      sectionOf(
        `${mention(request.askedBy)} asks whether this answer is right:\n>${escapeAndTruncate(question.text.replace(/\s+/g, ' '), 1_500)}\n*${escapeAndTruncate(request.headline, 1_000)}*`,
      ),
      ...(fitted && fitted.rowsShown > 0 ? [fitted.block] : []),
      sectionOf(sqlText(request.sql)),
      contextOf(
        `${escapeMrkdwn(parseDatabaseRef(question.database).database)}${table && fitted && fitted.rowsShown < table.rows.length ? `  ·  ${fitted.rowsShown} of ${table.rows.length.toLocaleString('en-US')} rows` : ''}`,
      ),
      ...(request.decided ? [decisionLine(request.decided)] : [decisionButtons(request.questionId)]),
    ],
  }
}

const sqlText = (sql: string): string =>
  sql.length > LONGEST_SQL || escapeMrkdwn(sql).length > LONGEST_SQL
    ? 'The query is too long to stand here: Show SQL has all of it.'
    : `\`\`\`${escapeMrkdwn(sql.replaceAll('```', "'''"))}\`\`\``

const decisionLine = ({ decision, by, reason }: NonNullable<ReviewRequest['decided']>): SlackBlock =>
  contextOf(
    `${mention(by)} ${decisionLabels[decision]}${reason ? `: ${escapeAndTruncate(reason, 1_500)}` : '.'} The thread was told.`,
  )

const decisionButtons = (questionId: string): SlackBlock => ({
  type: 'actions',
  elements: [
    {
      type: 'button',
      action_id: actionIds.reviewApprove,
      text: { type: 'plain_text', text: 'Approve' },
      style: 'primary',
      value: questionId,
    },
    {
      type: 'button',
      action_id: actionIds.reviewFix,
      text: { type: 'plain_text', text: 'Fix SQL' },
      value: questionId,
    },
    {
      type: 'button',
      action_id: actionIds.reviewReject,
      text: { type: 'plain_text', text: 'Reject' },
      style: 'danger',
      value: questionId,
    },
    {
      type: 'button',
      action_id: actionIds.reviewShowSql,
      text: { type: 'plain_text', text: 'Show SQL' },
      value: questionId,
    },
  ],
})

/** What the thread of the question is told once somebody has decided. */
export const reviewDecisionView = (
  { askedBy, headline }: Pick<ReviewRequest, 'askedBy' | 'headline'>,
  { decision, by, reason }: NonNullable<ReviewRequest['decided']>,
  /** Of the answer as it stands now. */
  currentHeadline: string,
): SlackMessage => {
  const words: Record<ReviewDecision, string> = {
    approved: `looked at this answer and confirmed it: *${escapeAndTruncate(headline, 1_000)}*`,
    fixed: `looked at this answer and corrected it. It says now: *${escapeAndTruncate(currentHeadline, 1_000)}*`,
    rejected: `looked at this answer and found it wrong${reason ? `: ${escapeAndTruncate(reason, 1_500)}` : '.'}`,
  }
  const line = `${mention(askedBy)} ${mention(by)} ${words[decision]}`
  return { text: line, blocks: [sectionOf(line)] }
}

/** What the thread is told where nobody could be asked. */
export const reviewersUnreachableView: SlackMessage = plainReply(
  'I could not pass this on: the channel where people look at answers cannot be reached.',
  'An admin can invite me to it, or name another one as `slack.humansChannel` in querent.yml. Then ask again.',
)

const sectionOf = (mrkdwn: string): SlackBlock => ({
  type: 'section',
  text: { type: 'mrkdwn', verbatim: true, text: mrkdwn },
})

const contextOf = (mrkdwn: string): SlackBlock => ({
  type: 'context',
  elements: [{ type: 'mrkdwn', verbatim: true, text: mrkdwn }],
})

export const rejectFormIds = { block: 'reason', action: 'words' } as const

/** Asks why an answer is wrong: the thread is told. */
export const rejectModal = (questionId: string): Modal =>
  textInputModal({
    callbackId: callbackIds.reviewReject,
    title: 'Reject the answer',
    submit: 'Reject',
    field: rejectFormIds,
    label: 'What is wrong with it?',
    hint: 'The thread of the question is told, with your name.',
    multiline: true,
    maxLength: 1_000,
    questionId,
  })
