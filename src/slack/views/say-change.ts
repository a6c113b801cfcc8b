import type { FindingChange } from '../../core/digest.ts'
import { slackDate, slackDay } from './slack-date.ts'

/** Said with one decimal, less would be 0 %. */
const LEAST_PERCENT = 0.05
const HOURS_36 = 36 * 60 * 60 * 1_000

/** Says when a run was, with the hour where that is not long before `now`. */
export type FormatRunDay = (at: Date, given: { readonly now: Date }) => string

/** What a result did since the run before, in a line that needs no escapes: "+12 % since Mon 9 Nov (1,075 then)". */
export const formatChange = (
  change: FindingChange,
  given: {
    /** When the run was that it is compared with; null where there is none. */
    readonly since: Date | null
    readonly now: Date
    readonly sayDay: FormatRunDay
  },
): string => {
  const since =
    given.since === null ? 'since the last run' : `since ${given.sayDay(given.since, { now: given.now })}`
  switch (change.kind) {
    case 'first':
      return 'The first run: there is nothing to compare it with yet.'
    case 'same':
      return `Unchanged ${since}.`
    case 'number': {
      const { before, now, percent } = change
      const arrow = now >= before ? '▲' : '▼'
      const by =
        percent === null || Math.abs(percent) < LEAST_PERCENT
          ? formatSigned(now - before)
          : `${formatSigned(percent, 1)} %`
      return `${arrow} ${by} ${since} (${formatAmount(before)} then).`
    }
    case 'differs':
      return `Changed ${since}; there are too many rows to say which.`
    case 'rows': {
      const parts = [
        ...(change.added > 0 ? [`${formatRows(change.added)} new`] : []),
        ...(change.removed > 0 ? [`${formatRows(change.removed)} gone`] : []),
        ...(change.changed > 0 ? [`${formatRows(change.changed)} changed`] : []),
      ]
      return parts.length === 0 ? `Unchanged ${since}.` : `${parts.join(', ')} ${since}.`
    }
    default: {
      const never: never = change
      return never
    }
  }
}

const formatAmount = (value: number, digits = 2): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: digits })

const formatSigned = (value: number, digits = 2): string => {
  const size = formatAmount(Math.abs(value), digits)
  return value < 0 ? `−${size}` : `+${size}`
}

const formatRows = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`

/** As Slack shows it, in the time zone of whoever reads, like the times of the messages around it. */
export const formatDayForReader: FormatRunDay = (at, { now }) =>
  isRecent(at, now) ? slackDate(at) : slackDay(at)

/** "Mon 9 Nov" for texts that Slack does not format; an hour names its zone, which need not be the reader's. */
export const formatDayInZone =
  (timeZone: string): FormatRunDay =>
  (at, { now }) => {
    const format = (options: Intl.DateTimeFormatOptions): string =>
      new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(at).replace(',', '')
    const day = format({ weekday: 'short', day: 'numeric', month: 'short' })
    return isRecent(at, now) ? `${day}, ${format({ hour: '2-digit', minute: '2-digit' })} (${timeZone})` : day
  }

/** Less than a day and a half: the day alone may be today's. */
const isRecent = (at: Date, now: Date): boolean => now.getTime() - at.getTime() < HOURS_36
