import { makeRandom } from '../../src/lib/random.ts'

/** What goes wrong with events on their way to the bot. */
export interface EventFaults {
  /** How often each event is delivered; 2 doubles all. */
  readonly copies?: number
  /** How long each event is held back, in milliseconds. */
  readonly delayMs?: number
  /** Events that occur within this many milliseconds are delivered last first. */
  readonly reverseWithinMs?: number
  /** Each event is, with the probability `share`, doubled, held back or taken for unheard, by chance from a seed. */
  readonly plan?: { readonly seed: number; readonly share: number }
}

/** What chance does to one event. `unheard`: its first acknowledgement is lost, so it is delivered again. */
export interface DrawnEventFault {
  readonly copies: number
  readonly delayMs: number
  readonly unheard: boolean
}

/** The longest that an event is held back by chance: others overtake it. */
const LONGEST_DELAY_MS = 1_500

/** Draws what happens to the next event. */
export const makeDrawEventFault = (plan: NonNullable<EventFaults['plan']>): (() => DrawnEventFault) => {
  const random = makeRandom(plan.seed)
  const happens = (): boolean => random() < plan.share
  return () => ({
    copies: happens() ? 2 + Math.floor(random() * 2) : 1,
    delayMs: happens() ? Math.round(random() * LONGEST_DELAY_MS) : 0,
    unheard: happens(),
  })
}
