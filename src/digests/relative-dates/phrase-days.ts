import type { UnderstandQuestion } from '../../domain/question-context.ts'

/** Days of a period, ISO; `until` is exclusive. */
export interface PhraseDays {
  readonly from: string | null
  readonly until: string | null
}

/** The days a phrase such as `last month` means on a day (ISO); null if it is not a single period. */
export type FindPhraseDays = (phrase: string, today: string) => PhraseDays | null

/**
 * Uses the parser of questions. The phrase is parsed alone, within words that make it a data question, so that nothing
 * else in the question changes its meaning.
 */
export const makeFindPhraseDays =
  (understand: UnderstandQuestion): FindPhraseDays =>
  (phrase, today) => {
    // Noon UTC is safely within the day.
    const clock = { now: () => new Date(`${today}T12:00:00Z`), timeZone: 'UTC' }
    const spans = understand(`How many orders were there during ${phrase}?`, clock).spans
    const [span] = spans
    return spans.length === 1 && span ? { from: span.from, until: span.until } : null
  }

const DAY_MS = 24 * 60 * 60 * 1000

/** Days ahead; on one of them every relative period means other days than today. */
const probes = [1, 8, 32, 93, 184, 366, 800]

/** Whether a phrase means other days on other days. */
export const isRelative = (phrase: string, today: string, daysOf: FindPhraseDays): boolean => {
  const now = JSON.stringify(daysOf(phrase, today))
  return probes.some(days => JSON.stringify(daysOf(phrase, addDays(today, days))) !== now)
}

/** A day (ISO) this many days later. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
