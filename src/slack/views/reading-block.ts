import { actionIds } from '../action-ids.ts'
import type { SlackBlock } from '../block-schema.ts'
import { truncateText } from '../cut-text.ts'
import { escapeAndTruncate } from '../escape-within.ts'
import { slackLimits } from '../limits.ts'
import type { AnswerView } from './answer.ts'

/** What an answer took for granted, and beside it the other readings to change to. Nothing where there is neither. */
export const interpretationBlock = ({
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
