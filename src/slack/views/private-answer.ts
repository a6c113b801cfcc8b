import type { Audience } from '../../domain/access/access.ts'
import type { LocatedQuestion } from '../../domain/message.ts'
import { actionIds } from '../action-ids.ts'
import { buttonRow, contextBlock, type SlackMessage, sectionBlock } from '../block-kit/blocks.ts'
import { escapeAndTruncate, escapeSentence, mention } from '../block-kit/text.ts'
import { privateAnswerTexts } from '../copy/answer.ts'
import { labels } from '../copy/phrases.ts'

const LONGEST_QUESTION = 300

/** A message for the asker alone: where and what they asked, and the outcome. An answer can be posted to its thread. */
export const privateView = (
  { text, blocks }: SlackMessage,
  { question, location }: LocatedQuestion,
  { canPost }: { readonly canPost: boolean },
): SlackMessage => ({
  text,
  blocks: [
    contextBlock(
      privateAnswerTexts.askedIn(
        `<#${location.channel}>`,
        escapeAndTruncate(question.text, LONGEST_QUESTION, escapeSentence),
      ),
    ),
    ...blocks,
    ...(canPost ? [buttonRow(question.id, [[actionIds.postToThread, labels.postToThread]])] : []),
  ],
})

/** What everyone sees in the thread of an outcome that only the asker may see. */
export const withheldView = ({ question }: Pick<LocatedQuestion, 'question'>): SlackMessage => {
  const text = privateAnswerTexts.withheld(question.askedBy === null ? null : mention(question.askedBy))
  return { text: privateAnswerTexts.withheldSummary, blocks: [sectionBlock(text)] }
}

/** Why an answer was not posted to its thread. */
export const notPostedText = (audience: Extract<Audience, { kind: 'some' }>): string =>
  privateAnswerTexts.notPosted(audience.without)
