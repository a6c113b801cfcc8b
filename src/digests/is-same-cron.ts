import { parseCron } from './read-cron.ts'

/** Days of four years, with a leap day among them. */
const COMPARED_DAYS = 4 * 365 + 1
const FIRST_DAY = Date.UTC(2024, 0, 1)
const DAY_MS = 24 * 60 * 60 * 1000

/** Whether two cron lines are due at the same times, however they are written. False where one of them is none. */
export const isSameCron = (one: string, other: string): boolean => {
  if (one === other) return true
  const [a, b] = [parseCron(one), parseCron(other)]
  if (!a || !b || a.everyHour !== b.everyHour || a.minutes.join() !== b.minutes.join()) return false
  for (let day = 0; day < COMPARED_DAYS; day++) {
    const date = new Date(FIRST_DAY + day * DAY_MS)
    const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
    const given = {
      ...{ month: date.getUTCMonth() + 1, day: date.getUTCDate() },
      ...{ weekday: date.getUTCDay(), lastDay },
    }
    if (a.isOn(given) !== b.isOn(given)) return false
  }
  return true
}
