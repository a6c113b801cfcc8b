import { capitalize } from './capitalize.ts'
/** How a number is meant, as the semantic layer says it. `scale` is what a stored number is multiplied by. */
export type FigureUnit =
  | { readonly kind: 'currency'; readonly code: string | null; readonly scale: number }
  | { readonly kind: 'percent'; readonly scale: number }
  | { readonly kind: 'duration'; readonly unit: 'second' | 'minute' | 'hour' | 'day' }
  | { readonly kind: 'count' }
  | { readonly kind: 'other'; readonly suffix: string; readonly scale: number }

const durationSuffix = { second: 's', minute: 'min', hour: 'h', day: 'days' } as const

/**
 * A figure in its unit: `€339,147.59`, `29%`, `3.4 days`, `1,428`. At most two decimals, unless the number is so small
 * that they would say nothing.
 */
export const formatFigure = (value: number, unit: FigureUnit | null): string => {
  switch (unit?.kind) {
    case 'currency':
      return formatMoney(value * unit.scale, unit.code)
    case 'percent':
      return `${formatDecimals(value * unit.scale, Math.abs(value * unit.scale) < 10 ? 1 : 0)}%`
    case 'duration':
      return formatDuration(value, unit.unit)
    case 'other':
      return `${formatDecimals(value * unit.scale, 2)} ${unit.suffix}`
    default:
      return formatDecimals(value, 2)
  }
}

/** A time in its unit, or in a smaller one while it is less than one: `3.4 days`, `9.6 h`, `45 min`. */
const formatDuration = (value: number, unit: keyof typeof durationSuffix): string => {
  const smaller = (
    { day: ['hour', 24], hour: ['minute', 60], minute: ['second', 60], second: null } as const
  )[unit]
  if (smaller !== null && value !== 0 && Math.abs(value) < 1)
    return formatDuration(value * smaller[1], smaller[0])
  const text = formatDecimals(value, Math.abs(value) < 100 ? 1 : 0)
  return `${text} ${unit === 'day' && text === '1' ? 'day' : durationSuffix[unit]}`
}

/** A stored number as it is meant: cents as whole units, fractions as percentages. */
export const scaleFigure = (value: number, unit: FigureUnit | null): number => {
  const scale = unit !== null && 'scale' in unit ? unit.scale : 1
  // Multiplying by .01 leaves noise that dividing by 100 does not.
  return scale < 1 ? value / Math.round(1 / scale) : value * scale
}

const formatMoney = (value: number, code: string | null): string => {
  const decimals = Number.isInteger(value) && Math.abs(value) >= 1000 ? 0 : 2
  const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  return code === null
    ? value.toLocaleString('en-US', options)
    : value.toLocaleString('en-US', { ...options, style: 'currency', currency: code })
}

/** Numbers below this need digits of their own rather than two decimals. */
const TINY = 0.01

const formatDecimals = (value: number, decimals: number): string =>
  value !== 0 && Math.abs(value) < TINY
    ? value.toLocaleString('en-US', { maximumSignificantDigits: 2 })
    : value.toLocaleString('en-US', { maximumFractionDigits: decimals })

/** The unit that a moment stands for. */
export type PeriodGrain = 'day' | 'week' | 'month' | 'quarter' | 'year'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A day as the period that it begins: `Oct 2026`, `Q3 2026`, `Nov 20, 2026`. Null if it is no ISO day. */
export const formatPeriod = (day: string, grain: PeriodGrain): string | null => {
  if (grain === 'year' && /^\d{4}$/.test(day)) return day
  const [, year, month, date] = /^(\d{4})-(\d{2})(?:-(\d{2}))?/.exec(day) ?? []
  if (year === undefined || month === undefined) return null
  const name = months[Number(month) - 1] ?? month
  switch (grain) {
    case 'year':
      return year
    case 'quarter':
      return `Q${Math.ceil(Number(month) / 3)} ${year}`
    case 'month':
      return `${name} ${year}`
    case 'week':
      return `Week of ${name} ${Number(date ?? 1)}, ${year}`
    case 'day':
      return `${name} ${Number(date ?? 1)}, ${year}`
    default: {
      const never: never = grain
      return never
    }
  }
}

/** Whether the period of a grain that begins on a day has not ended on `today`. */
export const isRunningPeriod = (start: string, grain: PeriodGrain, today: string): boolean => {
  const begun = start.slice(0, 10)
  if (begun > today) return false
  const [year = 0, month = 1] = begun.split('-').map(Number)
  const end = {
    day: () => addDays(begun, 1),
    week: () => addDays(begun, 7),
    month: () => firstOfMonth(year, month + 1),
    quarter: () => firstOfMonth(year, month + 3),
    year: () => firstOfMonth(year + 1, 1),
  }[grain]()
  return end > addDays(today, 1)
}

/** The first day of a month; a month beyond 12 is one of the next year. */
export const firstOfMonth = (year: number, month: number): string =>
  `${year + Math.floor((month - 1) / 12)}-${String(((month - 1) % 12) + 1).padStart(2, '0')}-01`

/** An ISO day so many days later. */
export const addDays = (iso: string, days: number): string => {
  const date = new Date(`${iso}T00:00:00Z`)
  if (Number.isNaN(date.getTime())) return iso
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

/**
 * Days as people write them: `Nov 20, 2026`, `Nov 9 to 15, 2026`, `Oct 22 to Nov 20, 2026`, `since Nov 9, 2026`. `until`
 * is the day after the last; null on either side leaves it open.
 */
export const formatDays = (from: string | null, until: string | null): string => {
  if (from === null) return until === null ? 'all time' : `before ${formatPeriod(until, 'day') ?? until}`
  if (until === null) return `since ${formatPeriod(from, 'day') ?? from}`
  const [first, last] = [formatPeriod(from, 'day'), formatPeriod(addDays(until, -1), 'day')]
  if (first === null || last === null) return `${from} to ${until}`
  if (first === last) return first
  const [start = '', year = ''] = first.split(', ')
  const [end = '', lastYear = ''] = last.split(', ')
  if (year !== lastYear) return `${first} to ${last}`
  const [month = ''] = start.split(' ')
  return `${start} to ${end.startsWith(`${month} `) ? end.slice(month.length + 1) : end}, ${year}`
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** A part of a moment in words: weekday 1 is Monday, hour 9 is 09:00, month 3 is Mar. */
export const formatDatePart = (value: number, part: 'weekday' | 'hour' | 'month-of-year'): string => {
  if (part === 'weekday') return weekdays[value - 1] ?? String(value)
  return part === 'hour' ? `${String(value).padStart(2, '0')}:00` : (months[value - 1] ?? String(value))
}

/** A column's heading and how its values are meant; a part of what the domain knows of a result's column. */
export interface MeantColumn {
  readonly name: string
  readonly kind: string
  readonly meaning?: {
    readonly label: string
    readonly unit: FigureUnit | null
    readonly role:
      | { readonly kind: 'period'; readonly grain: PeriodGrain; readonly runningOn?: string }
      | { readonly kind: 'date-part'; readonly part: 'weekday' | 'hour' | 'month-of-year' }
      | { readonly kind: 'name' | 'category' | 'flag' | 'moment' | 'detail' | 'figure' }
  }
}

/** A day or moment as people write it: `Nov 20, 2026`, `Nov 20, 2026, 14:05`. Null if it is no ISO moment. */
export const formatMoment = (iso: string): string | null => {
  const [, day, time] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/.exec(
      iso,
    ) ?? []
  if (day === undefined) return null
  const written = formatPeriod(day, 'day')
  return time === undefined || time === '00:00' ? written : `${written}, ${time}`
}

/** The heading of a column: its label, else its name as words: `First name` of `first_name`. */
export const headingOf = ({ name, meaning }: Pick<MeantColumn, 'name' | 'meaning'>): string =>
  meaning?.label ?? headingOfName(name)

const headingOfName = (name: string): string => {
  // Anything but an identifier was written to be read.
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) return name
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .split('_')
    .filter(word => word !== '')
    .map(word => (/^\p{Lu}{2,}$/u.test(word) ? word : word.toLowerCase()))
    .map(word => (word === 'id' ? 'ID' : word))
  const text = words.join(' ')
  return capitalize(text)
}

/** What a yes or no is stored as: true, 1, or a word. */
export const isYes = (cell: boolean | number | bigint | string): boolean =>
  /^(?:true|t|1|yes|y)$/i.test(String(cell))

/** A value as its column means it: money in its currency, a month as `Oct 2026`; null if the column says nothing of it. */
export const formatMeant = (
  cell: null | boolean | number | bigint | string | Uint8Array,
  { meaning, kind }: Pick<MeantColumn, 'meaning' | 'kind'>,
): string | null => {
  if (cell === null || cell === '' || cell instanceof Uint8Array) return null
  const { role, unit } = meaning ?? {}
  if (role?.kind === 'period') {
    const period = formatPeriod(String(cell), role.grain)
    const isRunning =
      role.runningOn !== undefined && isRunningPeriod(String(cell), role.grain, role.runningOn)
    return period !== null && isRunning ? `${period} so far` : period
  }
  if (kind === 'date' || kind === 'timestamp' || role?.kind === 'moment') return formatMoment(String(cell))
  if (role?.kind === 'flag' || typeof cell === 'boolean') return isYes(cell) ? 'yes' : 'no'
  if (role === undefined || unit === undefined) return null
  const number = typeof cell === 'boolean' ? Number.NaN : Number(cell)
  if (!Number.isFinite(number)) return null
  if (role.kind === 'date-part') return formatDatePart(number, role.part)
  if (role.kind === 'figure' || unit !== null) return formatFigure(number, unit)
  return null
}
