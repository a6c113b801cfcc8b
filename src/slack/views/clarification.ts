import type { Clarification } from '../../core/clarification.ts'
import { actionIds } from '../action-ids.ts'
import type { SlackMessage } from '../check-message.ts'
import { truncateText } from '../cut-text.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'
import { fallbackText } from '../fallback-text.ts'
import { slackLimits } from '../limits.ts'

/** A question back: what each choice would give, the choices as buttons, something else, and the default. */
export const clarificationView = (questionId: string, clarification: Clarification): SlackMessage => {
  const { question, options, defaultOption } = clarification
  const lines = options.map(
    (option, i) => `${i + 1}. ${option.label}${option.hint ? ` (${option.hint})` : ''}`,
  )
  const standing = options[defaultOption]?.label ?? ''
  return {
    text: fallbackText(`${question} ${options.map(option => option.label).join(', ')}?`),
    blocks: [
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          verbatim: true,
          text: truncateText(
            `*${escapeMrkdwn(question)}*\n${escapeMrkdwn(lines.join('\n'))}`,
            slackLimits.sectionText,
          ),
        },
      },
      {
        type: 'actions',
        elements: [
          ...options.map((option, i) => ({
            type: 'button' as const,
            action_id: `${actionIds.clarifyOption}${i + 1}`,
            text: { type: 'plain_text' as const, text: truncateText(option.label, slackLimits.buttonText) },
            value: `${questionId}:${i + 1}`,
            ...(i === defaultOption ? { style: 'primary' as const } : {}),
          })),
          {
            type: 'button',
            action_id: actionIds.somethingElse,
            text: { type: 'plain_text', text: 'Something else…' },
            value: questionId,
          },
        ],
      },
      {
        type: 'context',
        elements: [
          {
            type: 'mrkdwn',
            verbatim: true,
            text: truncateText(
              `You can also reply in this thread. Without a reply I will take: ${escapeMrkdwn(standing)}`,
              2_000,
            ),
          },
        ],
      },
    ],
  }
}
