import type { RepairDecision } from '../../core/digest-use-cases.ts'
import type { SlackMessage } from '../check-message.ts'
import { plainReply } from './plain-reply.ts'

/** What stands in the place of a proposal once it is decided. */
export const repairDecisionView = (
  title: string,
  decision: RepairDecision,
  { isPaused }: { readonly isPaused: boolean },
): SlackMessage =>
  decision !== 'refuse'
    ? plainReply(
        `The repair of “${title}” is accepted.`,
        isPaused
          ? 'The digest stays paused, as it was before: resume it in my Home tab.'
          : 'The digest runs again, from its next time on.',
      )
    : plainReply(
        `The repair of “${title}” is refused.`,
        'The digest stays paused. My Home tab has it, to resume or to delete.',
      )
