import type { AdminFacts } from '../../core/home.ts'
import type { SlackMessage } from '../check-message.ts'
import { fallbackText } from '../fallback-text.ts'
import { adminSummary } from './admin-summary.ts'
import { plainReply } from './plain-reply.ts'
import { contextBlock, sectionBlock } from './say-block.ts'

/** How the bot does, for an admin. What there is to decide is in App Home. */
export const adminView = (facts: AdminFacts): SlackMessage => ({
  text: fallbackText('How Querent does'),
  blocks: [
    sectionBlock(adminSummary(facts)),
    contextBlock('My Home tab has what there is to decide: rules, stale queries, failures, indexes.'),
  ],
})

/** For everybody else. */
export const notAdminView: SlackMessage = plainReply(
  'This is for admins.',
  'Who is one stands in querent.yml, under `slack.admins`.',
)
