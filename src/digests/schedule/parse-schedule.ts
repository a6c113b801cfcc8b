import cronstrue from 'cronstrue'
import { IANAZone } from 'luxon'
import { brandSchedule, type ParseSchedule, type ScheduleParseResult } from '../../domain/digests/digest.ts'
import { capitalize } from '../../lib/capitalize.ts'
import { isSameCron, nextDue, parseCron } from './next-due.ts'
import { parseScheduleWords } from './schedule-words.ts'

/** The shortest interval between due times. */
const MIN_INTERVAL_MINUTES = 5

const DAY_MINUTES = 24 * 60

const MAX_LENGTH = 200

const examples =
  'Try “every weekday at 9”, “mondays 08:30”, “first of the month at 7am”, “every 2 hours”, or a five-field cron line such as “0 9 * * 1-5”.'

/** Parses words or cron. Cron comes first, because no cron line means anything else in words. */
export const parseSchedule: ParseSchedule = (text, timeZone) => {
  if (!IANAZone.isValidZone(timeZone))
    return unclear(
      `I don't know the time zone “${cut(timeZone)}”.`,
      'Use a name such as Europe/Berlin or America/New_York.',
    )
  const normalized = text.replace(/\s+/g, ' ').trim()
  // Querent appends the cron line if its words alone would not parse back to it.
  const trimmed = /\(cron ([^()]+)\)$/.exec(normalized)?.[1]?.trim() ?? normalized
  if (trimmed === '') return unclear('The schedule is missing.', examples)
  if (trimmed.length > MAX_LENGTH) return unclear('That is too long for a schedule.', examples)
  if (readsAsCron(trimmed)) {
    if (parseCron(trimmed) === null)
      return unclear(
        `“${cut(trimmed)}” is a cron line that never runs, or a field is out of range.`,
        'The fields are minute 0-59, hour 0-23, day of the month 1-31, month 1-12, day of the week 0-7.',
      )
    return checkedSchedule({ cron: trimmed, words: reparsableWords(trimmed) }, timeZone)
  }
  const fields = trimmed.split(' ')
  if (fields.length > 3 && fields.every(isCronField))
    return unclear(
      `“${cut(trimmed)}” has ${fields.length} fields, and a cron line needs five.`,
      'They are minute, hour, day of the month, month and day of the week: “0 9 * * 1-5”.',
    )
  const read = parseScheduleWords(trimmed)
  if (read === null) {
    const withoutZone = trimmed.replace(endingZone, '')
    if (withoutZone !== trimmed && parseScheduleWords(withoutZone) !== null)
      return unclear(
        `“${cut(trimmed)}” includes a time zone.`,
        `Write “${cut(withoutZone)}” without it. I use the time zone of your Slack profile; you can change it in the Schedule and Edit forms.`,
      )
    return unclear(`“${cut(trimmed)}” is not a schedule I understand.`, examples)
  }
  if ('unclear' in read) return unclear(`${capitalize(read.unclear)}.`, examples)
  return checkedSchedule(read, timeZone)
}

const readsAsCron = (text: string): boolean =>
  text.split(' ').length === 5 && /^[\d*]/.test(text) && text.split(' ').slice(0, 2).every(isTimeField)

/** `in Berlin`, `Europe/Berlin`, `CET`, `(UTC+2)`, `Berlin time`. Tried only where words are not understood with it. */
const endingZone =
  /,?\s+(?:in (?!the (?:morning|afternoon|evening|night))[\p{L}_ /]+|\p{L}+ time|\(?[\p{L}_]+(?:\/[\p{L}_]+)+\)?|\(?[A-Z]{3,4}(?:[+-]\d{1,2})?\)?)$/u

const isCronField = (field: string): boolean => /^[\d*,/?-]+$/.test(field)

const isTimeField = (field: string): boolean => /^[\d*,/-]+$/.test(field)

const checkedSchedule = (
  { cron, words }: { readonly cron: string; readonly words: string },
  timeZone: string,
): ScheduleParseResult => {
  const apart = shortestInterval(cron)
  if (apart < MIN_INTERVAL_MINUTES)
    return unclear(
      `That would run every ${apart === 1 ? 'minute' : `${apart} minutes`}. The shortest interval is ${MIN_INTERVAL_MINUTES} minutes.`,
      `Write “every ${MIN_INTERVAL_MINUTES} minutes” or a longer interval.`,
    )
  const schedule = brandSchedule({ cron, timeZone, words })
  if (nextDue(schedule, new Date(0)) === null)
    return unclear('That date never comes up.', 'Choose a date that exists.')
  return { status: 'read', schedule }
}

/** Shortest gap between two due times on the clock, across midnight too. */
const shortestInterval = (cron: string): number => {
  const minutes = parseCron(cron)?.minutes ?? []
  if (minutes.length < 2) return DAY_MINUTES
  return Math.min(...minutes.map((minute, i) => (minutes[i + 1] ?? (minutes[0] ?? 0) + DAY_MINUTES) - minute))
}

/** Describes cron in words, with the line itself if the words would not parse back to it. */
const reparsableWords = (cron: string): string => {
  const words = describeCron(cron)
  const read = words.length > MAX_LENGTH ? null : parseScheduleWords(words)
  return read && 'cron' in read && isSameCron(read.cron, cron) ? words : `${words} (cron ${cron})`
}

const describeCron = (cron: string): string => {
  const normalized = cronstrue.toString(cron, {
    use24HourTimeFormat: true,
    throwExceptionOnParseError: false,
  })
  return normalized.charAt(0).toLowerCase() + normalized.slice(1)
}

const unclear = (reason: string, nextStep: string): ScheduleParseResult => ({
  status: 'unclear',
  reason,
  nextStep,
})

const cut = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
