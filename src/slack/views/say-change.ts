import type { DigestChange } from '../../core/digest.ts'

/** Said with one decimal, less would be 0 %. */
const LEAST_PERCENT = 0.05
const HOURS_36 = 36 * 60 * 60 * 1_000

/** What a result did since the run before, in a line of plain text: "+12 % since Mon 9 Nov (1,075 then)". */
export const sayChange = (
  change: DigestChange,
  given: {
    /** When the run was that it is compared with; null where there is none. */
    readonly since: Date | null
    readonly now: Date
    readonly timeZone: string
  },
): string => {
  const since = given.since === null ? 'since the last run' : `since ${dayOf(given.since, given)}`
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
          ? signed(now - before)
          : `${signed(percent, 1)} %`
      return `${arrow} ${by} ${since} (${amount(before)} then).`
    }
    case 'differs':
      return `Changed ${since}; there are too many rows to say which.`
    case 'rows': {
      const parts = [
        ...(change.added > 0 ? [`${rows(change.added)} new`] : []),
        ...(change.removed > 0 ? [`${rows(change.removed)} gone`] : []),
        ...(change.changed > 0 ? [`${rows(change.changed)} changed`] : []),
      ]
      return parts.length === 0 ? `Unchanged ${since}.` : `${parts.join(', ')} ${since}.`
    }
    default: {
      const never: never = change
      return never
    }
  }
}

const amount = (value: number, digits = 2): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: digits })

const signed = (value: number, digits = 2): string => {
  const size = amount(Math.abs(value), digits)
  return value < 0 ? `−${size}` : `+${size}`
}

const rows = (count: number): string => `${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`

/** "Mon 9 Nov", with the time of day where less than a day and a half has passed. */
const dayOf = (at: Date, { now, timeZone }: { readonly now: Date; readonly timeZone: string }): string => {
  const format = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(at).replace(',', '')
  const day = format({ weekday: 'short', day: 'numeric', month: 'short' })
  const isRecent = now.getTime() - at.getTime() < HOURS_36
  return isRecent ? `${day}, ${format({ hour: '2-digit', minute: '2-digit' })}` : day
}
