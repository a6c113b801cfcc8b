import type { AnswerAlternative } from '../../domain/answer.ts'
import type { RevisionKind } from '../../domain/answer-revision.ts'
import type { ResultTable } from '../../domain/result.ts'
import { actionIds } from '../action-ids.ts'
import {
  button,
  buttonRow,
  contextBlock,
  plainText,
  type SlackMessage,
  sectionBlock,
} from '../block-kit/blocks.ts'
import type { NativeChart } from '../block-kit/chart.ts'
import { type SlackBlock, slackLimits } from '../block-kit/schema.ts'
import { type FittedTable, tableBlock } from '../block-kit/table.ts'
import { escapeAndTruncate, escapeSentence, fallbackText, mention, truncateText } from '../block-kit/text.ts'
import {
  chartAltText,
  confirmedBy,
  formatConfidence,
  formatVotes,
  otherInterpretationsText,
  readAt,
  revisedBy,
  savedAnswerAge,
  sourceOf,
} from '../copy/answer.ts'
import { accessibilityLabels, formatCount, formatShare, labels } from '../copy/phrases.ts'

/** What an answer is shown from. `votes` counts the last vote of each person. */
export interface AnswerView {
  readonly questionId: string
  readonly headline: string
  readonly table: ResultTable
  readonly confidence: number
  readonly assumptions: readonly string[]
  /** Other interpretations of the question that can be changed to. */
  readonly alternatives?: readonly AnswerAlternative[]
  readonly database: string
  /** Whether everyone who can ask it sees the same rows. */
  readonly isSameForAll: boolean
  /** IANA name of the time zone in which the question's days were counted. */
  readonly timeZone: string
  /** When the rows were read. */
  readonly answeredAt: Date
  /** How old they were when this answer was shown again for another question. */
  readonly cachedForMs?: number
  readonly periods: readonly string[]
  readonly filters: readonly string[]
  readonly votes: { readonly up: number; readonly down: number }
  readonly revision: { readonly kind: RevisionKind; readonly person: string } | null
  readonly approvedBy: string | null
  /** What is shown in place of the table: a chart that Slack draws, or a picture; null for the table. */
  readonly chart: NativeChart | ChartImage | null
  /** Whether the result has a shape that can be a chart. */
  readonly canChart: boolean
  /** Whether there are people who review answers. */
  readonly asksHumans: boolean
}

/**
 * The one message of an answer, always in this order: headline, assumptions, table or chart, one context line, actions,
 * feedback.
 */
export const answerView = (view: AnswerView): SlackMessage => {
  const { table, chart, questionId } = view
  const fitted = !chart && table.rows.length > 0 && !isSingleValue(table) ? tableBlock(table) : null
  return {
    text: fallbackText(view.headline, escapeSentence),
    blocks: [
      sectionBlock(`*${escapeAndTruncate(view.headline, slackLimits.sectionText - 2, escapeSentence)}*`),
      ...interpretationBlock(view),
      ...(chart ? [chartBlock(chart)] : []),
      ...(fitted ? [fitted.block] : []),
      answerContext(view, fitted),
      // In a row of its own, because the row of actions is full.
      ...(view.cachedForMs === undefined
        ? []
        : [buttonRow(questionId, [[actionIds.runAgain, labels.runAgain]])]),
      answerActions(view),
      answerFeedback(questionId),
    ],
  }
}

/** The assumptions of an answer, and beside them the other interpretations. Nothing if there are none of either. */
const interpretationBlock = ({
  questionId,
  assumptions,
  alternatives = [],
}: Pick<AnswerView, 'questionId' | 'assumptions' | 'alternatives'>): SlackBlock[] => {
  const options = alternatives
    .map(({ label, hint, candidateId }) => ({
      text: plainText(truncateText(`${label}${hint ? ` (${hint})` : ''}` || '–', slackLimits.optionText)),
      value: `${questionId}:${candidateId}`,
    }))
    .filter(({ value }) => value.length <= slackLimits.optionValue)
  const stated = assumptions.filter(assumption => assumption.trim() !== '').join('  ·  ')
  if (options.length === 0)
    return stated === ''
      ? []
      : [contextBlock(escapeAndTruncate(stated, slackLimits.sectionField, escapeSentence))]
  return [
    {
      type: 'section',
      text: {
        type: 'mrkdwn',
        verbatim: true,
        text: escapeAndTruncate(stated || otherInterpretationsText, 2_000, escapeSentence),
      },
      accessory: {
        type: 'static_select',
        action_id: actionIds.changeInterpretation,
        placeholder: plainText(labels.changeTo),
        options,
      },
    },
  ]
}

/** What the overflow menu of an answer can do; its options are `<choice>:<question>`. */
export const menuChoices = ['how', 'chart', 'table', 'verify', 'human'] as const

type MenuChoice = (typeof menuChoices)[number]

const menuLabels: Readonly<Record<MenuChoice, string>> = {
  how: labels.howIGotThis,
  chart: labels.showAsChart,
  table: labels.showAsTable,
  verify: labels.saveAsVerified,
  human: labels.askHuman,
}

/** The action row: five elements, as many as people take in at a glance. */
const answerActions = ({
  questionId,
  chart,
  canChart,
  asksHumans,
}: Pick<AnswerView, 'questionId' | 'chart' | 'canChart' | 'asksHumans'>): SlackBlock => {
  const choices: readonly MenuChoice[] = [
    'how',
    ...(chart ? (['table'] as const) : canChart ? (['chart'] as const) : []),
    'verify',
    ...(asksHumans ? (['human'] as const) : []),
  ]
  return {
    type: 'actions',
    elements: [
      button(actionIds.showSql, labels.showSql, questionId),
      button(actionIds.exportCsv, labels.exportCsv, questionId),
      button(actionIds.editSql, labels.editSql, questionId),
      button(actionIds.schedule, labels.schedule, questionId),
      {
        type: 'overflow',
        action_id: actionIds.answerMenu,
        options: choices.map(choice => ({
          text: plainText(menuLabels[choice]),
          value: `${choice}:${questionId}`,
        })),
      },
    ],
  }
}

/** Slack's own thumbs, always last. */
const answerFeedback = (questionId: string): SlackBlock => ({
  type: 'context_actions',
  elements: [
    {
      type: 'feedback_buttons',
      action_id: actionIds.vote,
      positive_button: {
        text: plainText(labels.right),
        accessibility_label: accessibilityLabels.right,
        value: `up:${questionId}`,
      },
      negative_button: {
        text: plainText(labels.wrong),
        accessibility_label: accessibilityLabels.wrong,
        value: `down:${questionId}`,
      },
    },
  ],
})

const SEPARATOR = '  ·  '

/**
 * The one line that says what an answer is worth: who vouches for it, its period and filters, how much of the result is
 * shown, how sure I am, when the rows were read, from where, and how people voted.
 */
const answerContext = (view: AnswerView, fitted: FittedTable | null): SlackBlock => {
  const people = [
    ...(view.revision ? [revisedBy(view.revision.kind, mention(view.revision.person))] : []),
    ...(view.approvedBy ? [confirmedBy(mention(view.approvedBy))] : []),
  ].join(SEPARATOR)
  const facts = [
    ...view.periods,
    ...view.filters,
    fitted ? formatTruncation(view.table, fitted) : null,
    view.chart ? formatCount(view.table.rows.length, 'row') : null,
    // The confidence of the first answer says nothing about what a person chose or wrote.
    view.revision ? null : formatConfidence(view.confidence),
    view.cachedForMs === undefined ? null : savedAnswerAge(view.cachedForMs),
    readAt(view.answeredAt, view.timeZone),
    sourceOf(view.database, view.isSameForAll),
    formatVotes(view.votes),
  ].filter(fact => fact !== null && fact !== '')
  const room = slackLimits.sectionField - people.length - SEPARATOR.length
  const text = escapeAndTruncate(facts.join(SEPARATOR), room, escapeSentence)
  return contextBlock(people === '' ? text : `${people}${SEPARATOR}${text}`)
}

/** An uploaded picture that is shown in the place of a table. */
export interface ChartImage {
  readonly fileId: string
  readonly altText: string
}

export const chartBlock = (chart: NativeChart | ChartImage): SlackBlock =>
  'type' in chart
    ? chart
    : {
        type: 'image',
        slack_file: { id: chart.fileId },
        alt_text: chart.altText.slice(0, slackLimits.imageAltText) || chartAltText,
      }

/** Whether a result is one value, which its headline says already. */
export const isSingleValue = ({ rows, columns }: Pick<ResultTable, 'rows' | 'columns'>): boolean =>
  rows.length === 1 && columns.length === 1

/** "50 of 1,204 rows, 20 of 34 columns": only what was really cut. Null if the whole result is shown. */
export const formatTruncation = (
  { rows, columns, truncated }: ResultTable,
  { rowsShown, columnsShown }: FittedTable,
): string | null => {
  const parts = [
    ...(rowsShown < rows.length || truncated
      ? [formatShare(rowsShown, rows.length, 'rows', truncated !== null)]
      : []),
    ...(columnsShown < columns.length ? [formatShare(columnsShown, columns.length, 'columns')] : []),
  ]
  return parts.length === 0 ? null : parts.join(', ')
}
