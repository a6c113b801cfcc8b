import type { AnswerAlternative } from '../../domain/answer.ts'
import type { RevisionKind } from '../../domain/answer-revision.ts'
import type { ResultTable } from '../../domain/result.ts'
import { actionIds } from '../action-ids.ts'
import { slackLimits } from '../block-kit/limits.ts'
import type { SlackMessage } from '../block-kit/message.ts'
import type { SlackBlock } from '../block-kit/schema.ts'
import { tableBlock } from '../block-kit/table.ts'
import { escapeAndTruncate, fallbackText, truncateText } from '../block-kit/text.ts'
import { answerContext } from './answer-context.ts'

/** What an answer is shown from. `votes` counts the last vote of each person. */
export interface AnswerView {
  readonly questionId: string
  readonly headline: string
  readonly table: ResultTable
  readonly confidence: number
  readonly assumptions: readonly string[]
  /** Other readings that it could have taken. */
  readonly alternatives?: readonly AnswerAlternative[]
  readonly database: string
  /** IANA name of the zone in whose days the question was read. */
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
  /** The picture that is shown in place of the table; null for the table. */
  readonly chart: { readonly fileId: string; readonly altText: string } | null
  /** Whether the result has a shape that can be a chart. */
  readonly canChart: boolean
  /** Whether there are people who look at answers. */
  readonly asksHumans: boolean
}

/**
 * The one message of an answer, always in this order: headline, assumptions, table or chart, one context line, actions,
 * feedback.
 */
export const answerView = (view: AnswerView): SlackMessage => {
  const { table, chart } = view
  const fitted = !chart && table.rows.length > 0 && !isSingleValue(table) ? tableBlock(table) : null
  return {
    text: fallbackText(view.headline),
    blocks: [
      headline(view.headline),
      ...interpretationBlock(view),
      ...(chart ? [picture(chart)] : []),
      ...(fitted ? [fitted.block] : []),
      answerContext(view, fitted),
      ...(view.cachedForMs === undefined ? [] : [runAgainBlock(view.questionId)]),
      answerActions(view),
      answerFeedback(view.questionId),
    ],
  }
}

const headline = (text: string): SlackBlock => ({
  type: 'section',
  text: { type: 'mrkdwn', verbatim: true, text: `*${escapeAndTruncate(text, slackLimits.sectionText - 2)}*` },
})

const picture = ({ fileId, altText }: NonNullable<AnswerView['chart']>): SlackBlock => ({
  type: 'image',
  slack_file: { id: fileId },
  alt_text: altText.slice(0, slackLimits.imageAltText) || 'A chart of the result',
})

const isSingleValue = (table: ResultTable): boolean => table.rows.length === 1 && table.columns.length === 1

/** What an answer took for granted, and beside it the other readings to change to. Nothing where there is neither. */
const interpretationBlock = ({
  questionId,
  assumptions,
  alternatives = [],
}: Pick<AnswerView, 'questionId' | 'assumptions' | 'alternatives'>): SlackBlock[] => {
  const options = alternatives
    .map(({ label, hint, candidateId }) => ({
      text: {
        type: 'plain_text' as const,
        text: truncateText(`${label}${hint ? ` (${hint})` : ''}` || '–', slackLimits.optionText),
      },
      value: `${questionId}:${candidateId}`,
    }))
    .filter(({ value }) => value.length <= slackLimits.optionValue)
  const said = assumptions.filter(one => one.trim() !== '').join('  ·  ')
  if (said === '' && options.length === 0) return []
  return options.length === 0
    ? [
        {
          type: 'context',
          elements: [{ type: 'mrkdwn', verbatim: true, text: escapeAndTruncate(said, 2_000) }],
        },
      ]
    : [
        {
          type: 'section',
          text: {
            type: 'mrkdwn',
            verbatim: true,
            text: escapeAndTruncate(said || 'This could be meant in another way.', 2_000),
          },
          accessory: {
            type: 'static_select',
            action_id: actionIds.changeInterpretation,
            placeholder: { type: 'plain_text', text: 'Change to…' },
            options,
          },
        },
      ]
}

/** What the overflow menu of an answer can do; its options are `<choice>:<question>`. */
export const menuChoices = ['how', 'chart', 'table', 'verify', 'human'] as const

type MenuChoice = (typeof menuChoices)[number]

const titles: Record<MenuChoice, string> = {
  how: 'How I got this',
  chart: 'Show as chart',
  table: 'Show as table',
  verify: 'Save as verified',
  human: 'Ask a human',
}

/** The action row: five, which is as many as are taken in at a glance. */
const answerActions = (
  view: Pick<AnswerView, 'questionId' | 'chart' | 'canChart' | 'asksHumans'>,
): SlackBlock => {
  const { questionId } = view
  const choices: readonly MenuChoice[] = [
    'how',
    ...(view.chart ? (['table'] as const) : view.canChart ? (['chart'] as const) : []),
    'verify',
    ...(view.asksHumans ? (['human'] as const) : []),
  ]
  return {
    type: 'actions',
    elements: [
      button(actionIds.showSql, 'Show SQL', questionId),
      button(actionIds.exportCsv, 'Export CSV', questionId),
      button(actionIds.editSql, 'Edit & rerun', questionId),
      button(actionIds.schedule, 'Schedule', questionId),
      {
        type: 'overflow',
        action_id: actionIds.answerMenu,
        options: choices.map(choice => ({
          text: { type: 'plain_text', text: titles[choice] },
          value: `${choice}:${questionId}`,
        })),
      },
    ],
  }
}

const button = (actionId: string, text: string, value: string) => ({
  type: 'button' as const,
  action_id: actionId,
  text: { type: 'plain_text' as const, text },
  value,
})

/** Slack's own thumbs, always last. */
const answerFeedback = (questionId: string): SlackBlock => ({
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

/** Below what says how old an answer is: a row of its own, because the row of actions is full. */
const runAgainBlock = (questionId: string): SlackBlock => ({
  type: 'actions',
  elements: [
    {
      type: 'button',
      action_id: actionIds.runAgain,
      text: { type: 'plain_text', text: 'Run again' },
      value: questionId,
    },
  ],
})
