import type { AlternativeResult } from '../../domain/answer.ts'
import { feedbackReasons } from '../../domain/feedback.ts'
import { callbackIds } from '../action-ids.ts'
import { plainText, sectionBlock } from '../block-kit/blocks.ts'
import { formModal, type Modal } from '../block-kit/modal.ts'
import { type SlackBlock, slackLimits } from '../block-kit/schema.ts'
import { escapeAndTruncate, truncateText } from '../block-kit/text.ts'
import { feedbackForm, feedbackReasonLabels, resultName } from '../copy/answer-actions.ts'
import { formatCount, labels } from '../copy/phrases.ts'

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

/**
 * Asks what was wrong after a thumb down; every field is optional. Up to four other results can be picked, and a person
 * who knows SQL can give the right query.
 */
export const feedbackModal = (given: {
  readonly questionId: string
  readonly others: readonly AlternativeResult[]
}): Modal => {
  const others = given.others.slice(0, MOST_OTHERS).filter(({ candidateId }) => fitsOption(candidateId))
  return formModal({
    callbackId: callbackIds.feedback,
    title: feedbackForm.title,
    submit: labels.send,
    close: labels.skip,
    metadata: given.questionId,
    blocks: [
      optionalInput(feedbackFormIds.reason, feedbackForm.reason, {
        type: 'radio_buttons',
        action_id: feedbackFormIds.action,
        options: feedbackReasons.map(reason => ({
          text: plainText(feedbackReasonLabels[reason]),
          value: reason,
        })),
      }),
      optionalInput(feedbackFormIds.note, feedbackForm.note, textElement(1_000)),
      ...resultBlocks(others),
      {
        ...optionalInput(feedbackFormIds.sql, feedbackForm.sql, textElement(slackLimits.plainTextInput)),
        hint: plainText(feedbackForm.sqlHint),
      },
    ],
  })
}

type Input = Extract<SlackBlock, { readonly type: 'input' }>

const optionalInput = (block: string, label: string, element: Input['element']): Input => ({
  type: 'input',
  block_id: block,
  optional: true,
  label: plainText(label),
  element,
})

const textElement = (maxLength: number): Input['element'] => ({
  type: 'plain_text_input',
  action_id: feedbackFormIds.action,
  multiline: true,
  max_length: maxLength,
})

/** The other results, each with its first rows, and the choice between them. */
const resultBlocks = (others: readonly AlternativeResult[]): SlackBlock[] =>
  others.length === 0
    ? []
    : [
        ...others.map((other, i) => sectionBlock(`*${resultName(i + 1)}*\n${formatPreview(other)}`)),
        optionalInput(feedbackFormIds.other, feedbackForm.otherResult, {
          type: 'radio_buttons',
          action_id: feedbackFormIds.action,
          options: others.map(({ candidateId, rowCount }, i) => ({
            text: plainText(resultName(i + 1, formatCount(rowCount, 'row'))),
            value: candidateId,
          })),
        }),
      ]

const fitsOption = (value: string): boolean => value.length > 0 && value.length <= slackLimits.optionValue

/** The first rows in monospace, or the SQL if the rows are no longer stored. */
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
