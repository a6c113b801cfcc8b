import type { InteractionResult } from '../shapes/interaction.ts'

/** Why nothing happened after a click or a command, for the person who clicked. */
export const explainResult = (bot: string, { outcome, status, ms }: InteractionResult): string => {
  switch (outcome) {
    case 'acknowledged':
      return `${bot} has heard it.`
    case 'refused':
      return `${bot} answered with an error (${status}).`
    case 'timed-out':
      return `${bot} did not answer within ${(ms / 1_000).toFixed(1)} seconds.`
    case 'unreachable':
      return `${bot} is not running, or does not listen where the simulator was told.`
    default: {
      const never: never = outcome
      return never
    }
  }
}
