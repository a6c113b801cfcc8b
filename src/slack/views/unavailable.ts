import type { SlackMessage } from '../check-message.ts'
import { sectionBlock } from './say-block.ts'

/** What is said where a question cannot be taken in: true as long as Slack delivers again, which is for six minutes. */
export const unavailableText =
  'I cannot reach my own database right now, so I cannot take this in yet. I will answer here as soon as it is back. If nothing has come in ten minutes, please ask again.'

/** Says that our own store is away. */
export const unavailableView: SlackMessage = {
  text: unavailableText,
  blocks: [sectionBlock(unavailableText)],
}
