import { brandSchedule, type ParsedSchedule } from '../../core/schedule.ts'

/** A schedule as it was stored. It was read before it was kept, so it is not read again. */
export const storedSchedule = (row: {
  readonly cron: string
  readonly time_zone: string
  readonly schedule_words: string
}): ParsedSchedule => brandSchedule({ cron: row.cron, timeZone: row.time_zone, words: row.schedule_words })
