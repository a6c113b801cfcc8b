import type { RepairDecision } from '../../core/digest-use-cases.ts'
import type { SlackMessage } from '../check-message.ts'
import { plainReply } from './plain-reply.ts'

/** What stands in the place of a proposal once it is decided. */
export const decidedRepairView = (title: string, decision: RepairDecision): SlackMessage =>
  decision !== 'refuse'
    ? plainReply(`The repair of “${title}” is accepted.`, 'The digest runs again, from its next time on.')
    : plainReply(
        `The repair of “${title}” is refused.`,
        'The digest stays paused. My Home tab has it, to resume or to delete.',
      )
