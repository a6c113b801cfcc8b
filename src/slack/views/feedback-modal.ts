import type { AlternativeResult } from '../../domain/answer.ts'
import { type FeedbackReason, feedbackReasons } from '../../domain/feedback.ts'
import { callbackIds } from '../action-ids.ts'
import { slackLimits } from '../block-kit/limits.ts'
import type { Modal } from '../block-kit/modal.ts'
import type { SlackBlock } from '../block-kit/schema.ts'
import { escapeAndTruncate, truncateText } from '../block-kit/text.ts'

/** More would not be read in a modal. */
const MOST_OTHERS = 4

const ROWS_SHOWN = 3

const COLUMNS_SHOWN = 6

const CELL_SHOWN = 24

/** Block and action ids of the form. */
export const feedbackFormIds = {
  reason: 'reason',
  note: 'note',
  other: 'other',
  sql: 'sql',
  action: 'given',
} as const

const titles: Record<FeedbackReason, string> = {
  'wrong-table': 'Wrong table or column',
  'wrong-filter': 'Wrong filter',
  'wrong-grouping': 'Wrong grouping or total',
  'wrong-period': 'Wrong period',
  format: 'Shown in the wrong way',
  'stale-data': 'The data are old',
  other: 'Something else',
}

/**
 * What was wrong, asked after a thumb down: all of it optional. Up to four other results are there to be picked, and
 * whoever knows SQL may give the right one. `sql` is the answer's, to start from.
 */
export const feedbackModal = (given: {
  readonly questionId: string
  readonly others: readonly AlternativeResult[]
}): Modal => {
  const others = given.others.slice(0, MOST_OTHERS).filter(({ candidateId }) => fitsOption(candidateId))
  return {
    type: 'modal',
    callback_id: callbackIds.feedback,
    title: { type: 'plain_text', text: 'What was wrong?' },
    submit: { type: 'plain_text', text: 'Send' },
    close: { type: 'plain_text', text: 'Skip' },
    private_metadata: given.questionId,
    blocks: [
      {
        type: 'input',
        block_id: feedbackFormIds.reason,
        optional: true,
        label: { type: 'plain_text', text: 'What was wrong?' },
        element: {
          type: 'radio_buttons',
          action_id: feedbackFormIds.action,
          options: feedbackReasons.map(reason => ({
            text: { type: 'plain_text', text: titles[reason] },
            value: reason,
          })),
        },
      },
      {
        type: 'input',
        block_id: feedbackFormIds.note,
        optional: true,
        label: { type: 'plain_text', text: 'In your own words' },
        element: {
          type: 'plain_text_input',
          action_id: feedbackFormIds.action,
          multiline: true,
          max_length: 1_000,
        },
      },
      ...pickBlocks(others),
      {
        type: 'input',
        block_id: feedbackFormIds.sql,
        optional: true,
        label: { type: 'plain_text', text: 'The SQL you meant, if you know it' },
        hint: {
          type: 'plain_text',
          text: 'It is checked and run like mine, and its result takes the place of the answer with your name on it.',
        },
        element: {
          type: 'plain_text_input',
          action_id: feedbackFormIds.action,
          multiline: true,
          max_length: slackLimits.plainTextInput,
        },
      },
    ],
  }
}

const pickBlocks = (others: readonly AlternativeResult[]): SlackBlock[] =>
  others.length === 0
    ? []
    : [
        ...others.map(
          (other, i): SlackBlock => ({
            type: 'section',
            text: { type: 'mrkdwn', verbatim: true, text: `*Result ${i + 1}*\n${formatPreview(other)}` },
          }),
        ),
        {
          type: 'input',
          block_id: feedbackFormIds.other,
          optional: true,
          label: { type: 'plain_text', text: 'Is one of these results right?' },
          element: {
            type: 'radio_buttons',
            action_id: feedbackFormIds.action,
            options: others.map(({ candidateId, rowCount }, i) => ({
              text: {
                type: 'plain_text',
                text: `Result ${i + 1}: ${rowCount.toLocaleString('en-US')} ${rowCount === 1 ? 'row' : 'rows'}`,
              },
              value: candidateId,
            })),
          },
        },
      ]

const fitsOption = (value: string): boolean => value.length > 0 && value.length <= slackLimits.optionValue

/** The first rows in monospace, or the SQL where the rows are no longer kept. */
const formatPreview = ({ head, sql }: AlternativeResult): string => {
  const lines = head
    ? [head.columns, ...head.rows.slice(0, ROWS_SHOWN)].map(row =>
        row
          .slice(0, COLUMNS_SHOWN)
          .map(cell => truncateText(cell.replace(/\s+/g, ' ') || '–', CELL_SHOWN))
          .join(' | '),
      )
    : [truncateText(sql, 600)]
  return `\`\`\`${escapeAndTruncate(lines.join('\n').replaceAll('```', "'''"), 2_500)}\`\`\``
}
