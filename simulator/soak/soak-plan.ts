import { makeRandom, shuffle } from '../../src/lib/random.ts'

/** What a fault run does. `share`: how many calls and events go wrong, from 0 to 1. */
export interface SoakOptions {
  readonly questions: number
  readonly kills: number
  readonly seed: number
  readonly share: number
}

/** One question of the run: who asks what where, and when. */
export interface PlannedQuestion {
  readonly by: string
  /** Null is a direct message. */
  readonly channel: string | null
  readonly text: string
  /** How the asker settles a question back. */
  readonly reply: 'click' | 'words'
  /** Milliseconds after the question before. */
  readonly pause: number
}

/** One kill: once that many questions have come to their end, and so many milliseconds later. */
interface PlannedKill {
  readonly afterEnded: number
  readonly delay: number
}

/** All of it, before anything happens. */
interface SoakPlan {
  readonly questions: readonly PlannedQuestion[]
  readonly kills: readonly PlannedKill[]
}

const people = ['ada', 'jonas', 'mira']

const channels = ['#sales', '#general', '#random', null]

/** Over a company that hires out bicycles: clear ones, one that is vague, one beyond the database, and no question at all. */
const texts = [
  'how many bicycles are there by kind?',
  'how many riders are there?',
  'how many hires are there by pickup country?',
  'average kilometres per hire',
  'number of hires by country',
  'number of hires by country',
  'what is the boiling point of mercury?',
  '',
]

/** Faster than the bot works, so that questions wait for each other; slow enough that kills meet all parts of a run. */
const LONGEST_PAUSE_MS = 1_000

const LONGEST_KILL_DELAY_MS = 1_500

/** Draws a run from its seed. Kills are spread over the run: each falls into a part of its own, somewhere. */
export const planSoak = ({ questions, kills, seed }: SoakOptions): SoakPlan => {
  const random = makeRandom(seed)
  const below = (n: number): number => Math.floor(random() * n)
  // Every text as often as the others, in a random order.
  const asked = shuffle(
    Array.from({ length: questions }, (_, i) => texts[i % texts.length] ?? ''),
    seed,
  )
  return {
    questions: asked.map(text => {
      const channel = channels[below(channels.length)] ?? null
      return {
        by: people[below(people.length)] ?? 'ada',
        channel,
        text: channel === null ? text || 'hello' : `@querent ${text}`.trim(),
        reply: random() < 0.5 ? 'click' : 'words',
        pause: below(LONGEST_PAUSE_MS),
      }
    }),
    kills: Array.from({ length: kills }, (_, i) => ({
      afterEnded: Math.floor(((i + random()) * questions) / kills),
      delay: below(LONGEST_KILL_DELAY_MS),
    })),
  }
}
