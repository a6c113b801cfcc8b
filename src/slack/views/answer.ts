import type { AnswerAlternative } from '../../core/answer.ts'
import type { RevisionKind } from '../../core/answer-revision.ts'
import type { ResultTable } from '../../core/result.ts'
import type { SlackBlock } from '../block-schema.ts'
import type { SlackMessage } from '../check-message.ts'
import { escapeAndTruncate } from '../escape-within.ts'
import { fallbackText } from '../fallback-text.ts'
import { slackLimits } from '../limits.ts'
import { answerActions, answerFeedback } from './answer-actions.ts'
import { answerContext } from './answer-context.ts'
import { interpretationBlock } from './reading-block.ts'
import { runAgainBlock } from './run-again-block.ts'
import { tableBlock } from './table-block.ts'

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
