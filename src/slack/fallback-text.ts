import { escapeAndTruncate } from './escape-within.ts'
import { slackLimits } from './limits.ts'

/** The text beside the blocks, which notifications show: it is mrkdwn too, so it is escaped like every field. */
export const fallbackText = (text: string): string => escapeAndTruncate(text, slackLimits.sectionText)
