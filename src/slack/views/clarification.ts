import type { Clarification } from '../../domain/clarification.ts'
import { actionIds, callbackIds } from '../action-ids.ts'
import { button, contextBlock, type SlackMessage, sectionBlock } from '../block-kit/blocks.ts'
import { type Modal, textInputModal } from '../block-kit/modal.ts'
import { slackLimits } from '../block-kit/schema.ts'
import { escapeMrkdwn, fallbackText, truncateText } from '../block-kit/text.ts'
import { clarificationSummary, defaultChoice, numberedOption, somethingElseForm } from '../copy/answer.ts'
import { labels } from '../copy/phrases.ts'

/** A question back: the options with their results, a button for each, something else, and the default. */
export const clarificationView = (questionId: string, clarification: Clarification): SlackMessage => {
  const { question, options, defaultOption } = clarification
  const lines = options.map(({ label, hint }, i) => numberedOption(i + 1, label, hint))
  const defaultLabel = options[defaultOption]?.label ?? ''
  return {
    text: fallbackText(
      clarificationSummary(
        question,
        options.map(({ label }) => label),
      ),
    ),
    blocks: [
      sectionBlock(
        truncateText(
          `*${escapeMrkdwn(question)}*\n${escapeMrkdwn(lines.join('\n'))}`,
          slackLimits.sectionText,
        ),
      ),
      {
        type: 'actions',
        elements: [
          ...options.map(({ label }, i) =>
            button(
              `${actionIds.clarifyOption}${i + 1}`,
              truncateText(label, slackLimits.buttonText),
              `${questionId}:${i + 1}`,
              i === defaultOption ? { style: 'primary' } : {},
            ),
          ),
          button(actionIds.somethingElse, labels.somethingElse, questionId),
        ],
      },
      contextBlock(truncateText(defaultChoice(escapeMrkdwn(defaultLabel)), slackLimits.sectionField)),
    ],
  }
}

export const somethingElseIds = { block: 'reply', action: 'words' } as const

/** Asks for a reply in the person's own words. `asked` is the question that was asked. */
export const somethingElseModal = (questionId: string, asked: string): Modal =>
  textInputModal({
    callbackId: callbackIds.somethingElse,
    title: somethingElseForm.title,
    submit: labels.send,
    field: somethingElseIds,
    label:
      asked === ''
        ? somethingElseForm.labelWithoutQuestion
        : truncateText(somethingElseForm.label(asked), slackLimits.inputLabel),
    maxLength: 500,
    questionId,
  })
