import type { ParsedSchedule } from '../core/schedule.ts'
import { nextDue } from './next-due.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Beyond so many it is enough to know that there were at least so many. */
const MAX_COUNTED = 5_000

/** Due times that have come: how many (5,000 for more), and the last of them. */
export interface MissedRuns {
  readonly last: Date
  readonly count: number
}

/** Counts the due times from `first`, which is one, until `now`. */
export const countMissedRuns = (
  schedule: ParsedSchedule,
  { first, now }: { readonly first: Date; readonly now: Date },
): MissedRuns => {
  let last = first
  let count = 1
  for (let next = nextDue(schedule, last); next !== null && next <= now; next = nextDue(schedule, last)) {
    last = next
    count++
    if (count === MAX_COUNTED) return { last: lastUntil(schedule, now) ?? last, count }
  }
  return { last, count }
}

/** What is due so often was due within a day or so; the window widens until one is found. */
const lastUntil = (schedule: ParsedSchedule, now: Date): Date | null => {
  for (let days = 1; days <= 400; days *= 4) {
    let due = nextDue(schedule, new Date(now.getTime() - days * DAY_MS))
    if (due === null || due > now) continue
    for (let next = nextDue(schedule, due); next !== null && next <= now; next = nextDue(schedule, next))
      due = next
    return due
  }
  return null
}
