import type { RevisionKind } from '../../domain/answer-revision.ts'
import type { ResultTable } from '../../domain/result.ts'
import type { SlackBlock } from '../block-kit/schema.ts'
import type { FittedTable } from '../block-kit/table.ts'
import { escapeAndTruncate, mention } from '../block-kit/text.ts'
import type { AnswerView } from './answer.ts'

const LONGEST_CONTEXT = 2_000

const SEPARATOR = '  ·  '

const revisionLabels: Record<RevisionKind, string> = {
  edited: 'SQL edited by',
  picked: 'picked by',
  fixed: 'corrected by',
}

/**
 * The one line that says what an answer is worth: who stands for it, the period and its zone, the filters, what is
 * shown of how much, when the rows were read, how sure it is, where the rows come from, and what people said.
 */
export const answerContext = (view: AnswerView, fitted: FittedTable | null): SlackBlock => {
  const people = [
    ...(view.revision ? [`${revisionLabels[view.revision.kind]} ${mention(view.revision.person)}`] : []),
    ...(view.approvedBy ? [`confirmed by ${mention(view.approvedBy)}`] : []),
  ].join(SEPARATOR)
  const facts = [
    ...view.periods,
    ...view.filters,
    ...(fitted ? formatTruncation(view.table, fitted) : []),
    ...(view.chart ? [`${view.table.rows.length.toLocaleString('en-US')} rows`] : []),
    // Of what a person chose or wrote, the figure of the first answer says nothing.
    ...(view.revision ? [] : [`${Math.round(view.confidence * 100)} % sure`]),
    ...(view.cachedForMs === undefined ? [] : [`as of ${formatAge(view.cachedForMs)}`]),
    `read ${formatMoment(view)}`,
    `${view.database}, the same rows for everyone`,
    ...formatVotes(view.votes),
  ]
  const said = escapeAndTruncate(facts.join(SEPARATOR), LONGEST_CONTEXT - people.length - SEPARATOR.length)
  const text = people === '' ? said : `${people}${SEPARATOR}${said}`
  return { type: 'context', elements: [{ type: 'mrkdwn', verbatim: true, text }] }
}

/** "50 of 1,204 rows, 20 of 34 columns": only what was really cut. */
const formatTruncation = (table: ResultTable, fitted: FittedTable): string[] => {
  const rows = table.rows.length.toLocaleString('en-US')
  const parts = [
    ...(fitted.rowsShown < table.rows.length || table.truncated
      ? [`${fitted.rowsShown} of ${table.truncated ? 'more than ' : ''}${rows} rows`]
      : []),
    ...(fitted.columnsShown < table.columns.length
      ? [`${fitted.columnsShown} of ${table.columns.length} columns`]
      : []),
  ]
  return parts.length > 0 ? [parts.join(', ')] : []
}

/** "12 minutes ago". */
const formatAge = (ms: number): string => {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1) return 'less than a minute ago'
  if (minutes < 90) return minutes === 1 ? '1 minute ago' : `${minutes} minutes ago`
  return `${Math.round(minutes / 60)} hours ago`
}

/** "21 Nov 2026, 21:58 (Europe/Berlin)". */
const formatMoment = ({ answeredAt, timeZone }: AnswerView): string => {
  const moment = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  }).format(answeredAt)
  return `${moment} (${timeZone})`
}

const formatVotes = ({ up, down }: AnswerView['votes']): string[] =>
  up + down === 0
    ? []
    : [[...(up ? [`${up} found it right`] : []), ...(down ? [`${down} found it wrong`] : [])].join(', ')]
