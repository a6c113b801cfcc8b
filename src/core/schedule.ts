declare const parsed: unique symbol

/** When something recurs: a cron line of five fields, in a time zone. Only the reader of schedules mints it. */
export interface ParsedSchedule {
  /** Five fields: minute, hour, day of month, month, day of week. */
  readonly cron: string
  /** IANA name, such as `Europe/Berlin`: its wall clock counts, daylight saving included. */
  readonly timeZone: string
  /** In words for people, for instance `every Monday at 09:00`. */
  readonly words: string
  readonly [parsed]: true
}

/** What became of words or cron of a person. `reason` is a sentence for them, with what would be understood. */
export type ScheduleParseResult =
  | { readonly status: 'read'; readonly schedule: ParsedSchedule }
  | { readonly status: 'unclear'; readonly reason: string; readonly nextStep: string }

/** Reads `every weekday at 9`, `mondays 08:30`, `0 9 * * 1-5`. Pure, never throws. */
export type ParseSchedule = (text: string, timeZone: string) => ScheduleParseResult

/** The first due time strictly after a moment; null where there is none any more. Pure. */
export type NextDue = (schedule: ParsedSchedule, after: Date) => Date | null

/** Puts the brand on. Only `src/digests` may import this, and the store for what was read before; a test holds them to it. */
export const brandSchedule = (schedule: Omit<ParsedSchedule, typeof parsed>): ParsedSchedule =>
  Object.freeze({ ...schedule }) as ParsedSchedule
