import { makeRandom } from '../../src/lib/random.ts'

/** Faults of events on their way to the bot. */
export interface EventFaults {
  /** How many times each event is delivered. */
  readonly copies?: number
  /** How long each event is delayed, in milliseconds. */
  readonly delayMs?: number
  /** Events within this many milliseconds are delivered in reverse order. */
  readonly reverseWithinMs?: number
  /** With probability `share`, an event is repeated, delayed or treated as not acknowledged; random, from a seed. */
  readonly plan?: { readonly seed: number; readonly share: number }
}

/** The random fault of one event. `unheard`: its first acknowledgement is lost, so it is delivered again. */
export interface DrawnEventFault {
  readonly copies: number
  readonly delayMs: number
  readonly unheard: boolean
}

/** The longest random delay; other events overtake a delayed one. */
const LONGEST_DELAY_MS = 1_500

/** Draws the fault of the next event. */
export const makeDrawEventFault = (plan: NonNullable<EventFaults['plan']>): (() => DrawnEventFault) => {
  const random = makeRandom(plan.seed)
  const happens = (): boolean => random() < plan.share
  return () => ({
    copies: happens() ? 2 + Math.floor(random() * 2) : 1,
    delayMs: happens() ? Math.round(random() * LONGEST_DELAY_MS) : 0,
    unheard: happens(),
  })
}
