import type { AnsweredQuestion } from '../../domain/answer.ts'
import { parseDatabaseRef } from '../../domain/database.ts'
import type { ReviewRequest } from '../../domain/feedback.ts'
import type { ResultTable } from '../../domain/result.ts'
import { actionIds, callbackIds } from '../action-ids.ts'
import { buttonRow, contextBlock, plainReply, type SlackMessage, sectionBlock } from '../block-kit/blocks.ts'
import { type Modal, textInputModal } from '../block-kit/modal.ts'
import type { SlackBlock } from '../block-kit/schema.ts'
import { tableBlock } from '../block-kit/table.ts'
import { escapeAndTruncate, escapeMrkdwn, escapeSentence, fallbackText, mention } from '../block-kit/text.ts'
import {
  decidedText,
  decisionText,
  queryTooLongText,
  rejectForm,
  reviewersUnreachable,
  reviewRequestSummary,
  reviewRequestText,
} from '../copy/answer-actions.ts'
import { formatShare, labels } from '../copy/phrases.ts'

const ROWS_SHOWN = 10

const LONGEST_HEADLINE = 1_000

const LONGEST_REASON = 1_500

/** A query longer than this is in a modal, whole. */
const LONGEST_SQL = 2_000

/** What reviewers are shown. */
interface ReviewRequestView {
  readonly request: ReviewRequest
  readonly question: AnsweredQuestion['question']
  /** Null if the rows are no longer stored. */
  readonly table: ResultTable | null
}

/** An answer to review: question, result, SQL, and the decision: buttons, or who decided and how. */
export const reviewRequestView = ({ request, question, table }: ReviewRequestView): SlackMessage => {
  const fitted = table && tableBlock({ ...table, rows: table.rows.slice(0, ROWS_SHOWN) })
  const { database } = parseDatabaseRef(question.database)
  const isCut = table && fitted && fitted.rowsShown < table.rows.length
  return {
    text: fallbackText(reviewRequestSummary(question.text)),
    blocks: [
      sectionBlock(
        reviewRequestText(
          mention(request.askedBy),
          escapeAndTruncate(question.text, 1_500, escapeSentence),
          escapeAndTruncate(request.headline, LONGEST_HEADLINE, escapeSentence),
        ),
      ),
      ...(fitted && fitted.rowsShown > 0 ? [fitted.block] : []),
      sectionBlock(formatSql(request.sql)),
      contextBlock(
        [
          escapeMrkdwn(database),
          ...(isCut ? [formatShare(fitted.rowsShown, table.rows.length, 'rows')] : []),
        ].join('  ·  '),
      ),
      request.decided ? decisionLine(request.decided) : decisionButtons(request.questionId),
    ],
  }
}

const formatSql = (sql: string): string =>
  sql.length > LONGEST_SQL || escapeMrkdwn(sql).length > LONGEST_SQL
    ? queryTooLongText
    : `\`\`\`${escapeMrkdwn(sql.replaceAll('```', "'''"))}\`\`\``

const formatReason = (reason: string | null): string | null =>
  reason ? escapeAndTruncate(reason, LONGEST_REASON, escapeSentence) : null

const decisionLine = ({ decision, by, reason }: NonNullable<ReviewRequest['decided']>): SlackBlock =>
  contextBlock(decidedText(mention(by), decision, formatReason(reason)))

const decisionButtons = (questionId: string): SlackBlock =>
  buttonRow(questionId, [
    [actionIds.reviewApprove, labels.approve, { style: 'primary' }],
    [actionIds.reviewFix, labels.fixSql],
    [actionIds.reviewReject, labels.reject, { style: 'danger' }],
    [actionIds.reviewShowSql, labels.showSql],
  ])

/** What the thread of the question is told once a reviewer has decided. */
export const reviewDecisionView = (
  { askedBy, headline }: Pick<ReviewRequest, 'askedBy' | 'headline'>,
  { decision, by, reason }: NonNullable<ReviewRequest['decided']>,
  /** The answer's as it is now. */
  currentHeadline: string,
): SlackMessage => {
  const text = decisionText({
    asker: mention(askedBy),
    reviewer: mention(by),
    decision,
    headline: escapeAndTruncate(
      decision === 'fixed' ? currentHeadline : headline,
      LONGEST_HEADLINE,
      escapeSentence,
    ),
    reason: formatReason(reason),
  })
  return { text, blocks: [sectionBlock(text)] }
}

/** What the thread is told if nobody could be asked. */
export const reviewersUnreachableView: SlackMessage = plainReply(reviewersUnreachable)

export const rejectFormIds = { block: 'reason', action: 'words' } as const

/** Asks why an answer is wrong. The reason is posted in its thread. */
export const rejectModal = (questionId: string): Modal =>
  textInputModal({
    callbackId: callbackIds.reviewReject,
    title: rejectForm.title,
    submit: labels.reject,
    field: rejectFormIds,
    label: rejectForm.label,
    hint: rejectForm.hint,
    multiline: true,
    maxLength: 1_000,
    questionId,
  })
