import { cutText } from './cut-text.ts'
import { escapeMrkdwn } from './escape-mrkdwn.ts'
import { slackLimits } from './limits.ts'

/** The text beside the blocks, which notifications show: it is mrkdwn too, so it is escaped like every field. */
export const fallbackText = (text: string): string => cutText(escapeMrkdwn(text), slackLimits.sectionText)
