import type { ResultTable } from '../../core/result.ts'
import { actionIds } from '../action-ids.ts'
import type { CheckedBlock } from '../block-schema.ts'
import type { SlackMessage } from '../check-message.ts'
import { escapeWithin } from '../escape-within.ts'
import { fallbackText } from '../fallback-text.ts'
import { slackLimits } from '../limits.ts'
import { type FittedTable, tableBlock } from './table-block.ts'

/** What an answer is shown from. `votes` counts the last vote of each person. */
export interface AnswerView {
  readonly questionId: string
  readonly headline: string
  readonly table: ResultTable
  readonly confidence: number
  readonly assumptions: readonly string[]
  readonly database: string
  readonly votes: { readonly up: number; readonly down: number }
}

/** The one message of an answer: headline, table, one context line, actions, feedback; always in this order. */
export const answerView = (view: AnswerView): SlackMessage => {
  const fitted = view.table.rows.length > 0 && !isSingleValue(view.table) ? tableBlock(view.table) : null
  return {
    text: fallbackText(view.headline),
    blocks: [
      headline(view.headline),
      ...(fitted ? [fitted.block] : []),
      context(view, fitted),
      actions(view.questionId),
      feedback(view.questionId),
    ],
  }
}

const headline = (text: string): CheckedBlock => ({
  type: 'section',
  text: { type: 'mrkdwn', verbatim: true, text: `*${escapeWithin(text, slackLimits.sectionText - 2)}*` },
})

const context = (view: AnswerView, fitted: FittedTable | null): CheckedBlock => {
  const parts = [
    ...view.assumptions,
    ...(fitted ? cutOf(view.table, fitted) : []),
    `${Math.round(view.confidence * 100)} % sure`,
    view.database,
    ...votesOf(view.votes),
  ]
  const text = escapeWithin(parts.join('  ·  '), 2_000)
  return { type: 'context', elements: [{ type: 'mrkdwn', verbatim: true, text }] }
}

/** "50 of 1,204 rows, 20 of 34 columns": only what was really cut. */
const cutOf = (table: ResultTable, fitted: FittedTable): string[] => {
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

const votesOf = ({ up, down }: AnswerView['votes']): string[] =>
  up + down === 0
    ? []
    : [[...(up ? [`${up} found it right`] : []), ...(down ? [`${down} found it wrong`] : [])].join(', ')]

const isSingleValue = (table: ResultTable): boolean => table.rows.length === 1 && table.columns.length === 1

const actions = (questionId: string): CheckedBlock => ({
  type: 'actions',
  elements: [
    {
      type: 'button',
      action_id: actionIds.showSql,
      text: { type: 'plain_text', text: 'Show SQL' },
      value: questionId,
    },
    {
      type: 'button',
      action_id: actionIds.exportCsv,
      text: { type: 'plain_text', text: 'Export CSV' },
      value: questionId,
    },
  ],
})

const feedback = (questionId: string): CheckedBlock => ({
  type: 'context_actions',
  elements: [
    {
      type: 'feedback_buttons',
      action_id: actionIds.vote,
      positive_button: {
        text: { type: 'plain_text', text: 'Right' },
        accessibility_label: 'This answer is right',
        value: `up:${questionId}`,
      },
      negative_button: {
        text: { type: 'plain_text', text: 'Wrong' },
        accessibility_label: 'This answer is wrong',
        value: `down:${questionId}`,
      },
    },
  ],
})
