import type { AnsweredQuestion } from '../../core/answered-question.ts'
import { readDatabaseView } from '../../core/database-view.ts'
import type { HumanDecision, HumanRequest } from '../../core/human-request.ts'
import type { ResultTable } from '../../core/result.ts'
import { actionIds } from '../action-ids.ts'
import type { CheckedBlock } from '../block-schema.ts'
import type { SlackMessage } from '../check-message.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'
import { escapeWithin } from '../escape-within.ts'
import { fallbackText } from '../fallback-text.ts'
import { mention } from '../mention.ts'
import { plainReply } from './plain-reply.ts'
import { tableBlock } from './table-block.ts'

const ROWS_SHOWN = 10
/** A query longer than this is in a modal, whole. */
const LONGEST_SQL = 2_000

/** What people are shown who look at answers. */
export interface HumanRequestView {
  readonly request: HumanRequest
  readonly question: AnsweredQuestion['question']
  /** Null where the rows are no longer kept. */
  readonly table: ResultTable | null
}

const said: Record<HumanDecision, string> = {
  approved: 'confirmed it',
  fixed: 'corrected it',
  rejected: 'found it wrong',
}

/** An answer to look at: question, result, SQL, and what to decide; or, once decided, by whom and how. */
export const humanRequestView = ({ request, question, table }: HumanRequestView): SlackMessage => {
  const fitted = table && tableBlock({ ...table, rows: table.rows.slice(0, ROWS_SHOWN) })
  return {
    text: fallbackText(`Somebody asks whether this answer is right: ${question.text}`),
    blocks: [
      section(
        `${mention(request.askedBy)} asks whether this answer is right:\n>${escapeWithin(question.text.replace(/\s+/g, ' '), 1_500)}\n*${escapeWithin(request.headline, 1_000)}*`,
      ),
      ...(fitted && fitted.rowsShown > 0 ? [fitted.block] : []),
      section(sqlText(request.sql)),
      context(
        `${escapeMrkdwn(readDatabaseView(question.database).database)}${table && fitted && fitted.rowsShown < table.rows.length ? `  ·  ${fitted.rowsShown} of ${table.rows.length.toLocaleString('en-US')} rows` : ''}`,
      ),
      ...(request.decided ? [decided(request.decided)] : [decisions(request.questionId)]),
    ],
  }
}

const sqlText = (sql: string): string =>
  sql.length > LONGEST_SQL || escapeMrkdwn(sql).length > LONGEST_SQL
    ? 'The query is too long to stand here: Show SQL has all of it.'
    : `\`\`\`${escapeMrkdwn(sql.replaceAll('```', "'''"))}\`\`\``

const decided = ({ decision, by, reason }: NonNullable<HumanRequest['decided']>): CheckedBlock =>
  context(
    `${mention(by)} ${said[decision]}${reason ? `: ${escapeWithin(reason, 1_500)}` : '.'} The thread was told.`,
  )

const decisions = (questionId: string): CheckedBlock => ({
  type: 'actions',
  elements: [
    {
      type: 'button',
      action_id: actionIds.humanApprove,
      text: { type: 'plain_text', text: 'Approve' },
      style: 'primary',
      value: questionId,
    },
    {
      type: 'button',
      action_id: actionIds.humanFix,
      text: { type: 'plain_text', text: 'Fix SQL' },
      value: questionId,
    },
    {
      type: 'button',
      action_id: actionIds.humanReject,
      text: { type: 'plain_text', text: 'Reject' },
      style: 'danger',
      value: questionId,
    },
    {
      type: 'button',
      action_id: actionIds.humanShowSql,
      text: { type: 'plain_text', text: 'Show SQL' },
      value: questionId,
    },
  ],
})

/** What the thread of the question is told once somebody has decided. */
export const humanDecisionView = (
  { askedBy, headline }: Pick<HumanRequest, 'askedBy' | 'headline'>,
  { decision, by, reason }: NonNullable<HumanRequest['decided']>,
  /** Of the answer as it stands now. */
  currentHeadline: string,
): SlackMessage => {
  const words: Record<HumanDecision, string> = {
    approved: `looked at this answer and confirmed it: *${escapeWithin(headline, 1_000)}*`,
    fixed: `looked at this answer and corrected it. It says now: *${escapeWithin(currentHeadline, 1_000)}*`,
    rejected: `looked at this answer and found it wrong${reason ? `: ${escapeWithin(reason, 1_500)}` : '.'}`,
  }
  const line = `${mention(askedBy)} ${mention(by)} ${words[decision]}`
  return { text: line, blocks: [section(line)] }
}

/** What the thread is told where nobody could be asked. */
export const humansUnreachableView: SlackMessage = plainReply(
  'I could not pass this on: the channel where people look at answers cannot be reached.',
  'An admin can invite me to it, or name another one as `slack.humansChannel` in querent.yml. Then ask again.',
)

const section = (mrkdwn: string): CheckedBlock => ({
  type: 'section',
  text: { type: 'mrkdwn', verbatim: true, text: mrkdwn },
})

const context = (mrkdwn: string): CheckedBlock => ({
  type: 'context',
  elements: [{ type: 'mrkdwn', verbatim: true, text: mrkdwn }],
})
