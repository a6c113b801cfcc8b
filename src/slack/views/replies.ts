import type { NotAllowed } from '../../domain/access/access.ts'
import type { Outcome } from '../../domain/answer.ts'
import { readableOptions } from '../../domain/answer-wording/clarifications.ts'
import { refusalText } from '../../domain/answer-wording/unanswered.ts'
import type { Clarification } from '../../domain/clarification.ts'
import { parseDatabaseRef } from '../../domain/database.ts'
import { actionIds, callbackIds } from '../action-ids.ts'
import {
  button,
  contextBlock,
  plainContextBlock,
  plainReply,
  type SlackMessage,
  sectionBlock,
} from '../block-kit/blocks.ts'
import { type Modal, textInputModal } from '../block-kit/modal.ts'
import { type SlackBlock, slackLimits } from '../block-kit/schema.ts'
import { escapeAndTruncate, escapeSentence, fallbackText, truncateText } from '../block-kit/text.ts'
import {
  choiceScope,
  clarificationSummary,
  defaultChoice,
  numberedOption,
  somethingElseForm,
} from '../copy/answer.ts'
import { asksText, helpSummary, helpText } from '../copy/help.ts'
import { adminsToAsk, couldNotAnswer, labels, ownerToAsk, unavailableText } from '../copy/phrases.ts'

/** What an empty mention gets: how to ask, and example questions of this database as buttons. */
export const helpView = (databaseRef: string, examples: readonly string[]): SlackMessage => {
  const { database } = parseDatabaseRef(databaseRef)
  return {
    text: fallbackText(helpSummary(database)),
    blocks: [sectionBlock(helpText(escapeSentence(database))), ...exampleButtons(examples)],
  }
}

const MOST_EXAMPLES = 4

/** Questions as buttons that ask them; no block without any. A question that does not fit a button is left out. */
export const exampleButtons = (
  examples: readonly string[],
  actionPrefix: string = actionIds.askExample,
): readonly SlackBlock[] => {
  const shown = examples.filter(example => example.length <= slackLimits.buttonValue).slice(0, MOST_EXAMPLES)
  if (shown.length === 0) return []
  return [
    {
      type: 'actions',
      elements: shown.map((example, i) =>
        button(`${actionPrefix}${i + 1}`, truncateText(example, slackLimits.buttonText), example),
      ),
    },
  ]
}

/** A question that a person asked with a button or a command: the answer comes below. */
export const askedOnBehalfView = (person: string, question: string): SlackMessage => {
  const who = asksText(`<@${person}>`)
  return {
    text: `${who}${fallbackText(question)}`,
    blocks: [sectionBlock(`${who}${escapeAndTruncate(question, slackLimits.sectionText - who.length)}`)],
  }
}

/**
 * A question that I do not answer: what is missing, what can be asked instead (as buttons that ask it), and who knows
 * more. An owner that the configuration names by a Slack id is mentioned.
 */
export const refusalView = (
  outcome: Omit<Extract<Outcome, { status: 'refused' }>, 'status'>,
): SlackMessage => {
  const { nearest = [], whoToAsk } = outcome
  const { text, blocks } = plainReply(refusalText(outcome), escapeSentence)
  return {
    text,
    blocks: [
      ...blocks,
      ...exampleButtons(nearest),
      ...(whoToAsk === undefined ? [] : [ownerBlock(whoToAsk)]),
    ],
  }
}

const ownerBlock = (owner: string) =>
  /^[UW][A-Z0-9]{6,}$/.test(owner)
    ? contextBlock(ownerToAsk(`<@${owner}>`))
    : plainContextBlock(ownerToAsk(owner))

/** Admins named to a person who needs one. */
const MOST_ADMINS = 3

/** Why a person is not answered, what to do, and who can change it. */
export const notAllowedView = (
  refusal: Pick<NotAllowed, 'reason' | 'nextStep'>,
  admins: readonly string[],
): SlackMessage => {
  const { text, blocks } = plainReply(refusal)
  if (admins.length === 0) return { text, blocks }
  const mentions = admins.slice(0, MOST_ADMINS).map(id => `<@${id}>`)
  return { text, blocks: [...blocks, contextBlock(adminsToAsk(mentions))] }
}

/** Database errors can be long and can quote data; this much of one is shown. */
export const LONGEST_ERROR = 500

/** A question that failed: what went wrong, and one next step. */
export const failureView = ({
  reason,
  nextStep,
}: {
  readonly reason: string
  readonly nextStep: string
}): SlackMessage =>
  plainReply({ reason: couldNotAnswer(truncateText(reason, LONGEST_ERROR)), nextStep }, escapeSentence)

/** Says that our own store is away. */
export const unavailableView: SlackMessage = {
  text: unavailableText,
  blocks: [sectionBlock(unavailableText)],
}

/** A question back: the options with their results, a button for each, something else, and the default. */
export const clarificationView = (questionId: string, clarification: Clarification): SlackMessage => {
  const { question, defaultOption } = clarification
  const options = readableOptions(clarification.options)
  const lines = options.map(({ label, hint }, i) => numberedOption(i + 1, label, hint))
  const defaultLabel = options[defaultOption]?.label ?? ''
  return {
    text: fallbackText(
      clarificationSummary(
        question,
        options.map(({ label }) => label),
      ),
      escapeSentence,
    ),
    blocks: [
      sectionBlock(
        truncateText(
          `*${escapeSentence(question)}*\n${lines.map(escapeSentence).join('\n')}`,
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
      contextBlock(truncateText(defaultChoice(escapeSentence(defaultLabel)), slackLimits.sectionField)),
      ...(clarification.options.some(({ means }) => means !== undefined) ? [contextBlock(choiceScope)] : []),
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
