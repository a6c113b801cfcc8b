import type { Clarification } from '../../domain/clarification.ts'
import { actionIds, callbackIds } from '../action-ids.ts'
import { slackLimits } from '../block-kit/limits.ts'
import type { SlackMessage } from '../block-kit/message.ts'
import { type Modal, textInputModal } from '../block-kit/modal.ts'
import { escapeMrkdwn, fallbackText, truncateText } from '../block-kit/text.ts'

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

export const somethingElseIds = { block: 'reply', action: 'words' } as const

/** Asks for a reply in the person's own words. */
export const somethingElseModal = (questionId: string, question: string): Modal =>
  textInputModal({
    callbackId: callbackIds.somethingElse,
    title: 'Something else',
    submit: 'Answer',
    field: somethingElseIds,
    label: question.slice(0, 2_000) || 'What do you mean?',
    maxLength: 500,
    questionId,
  })
