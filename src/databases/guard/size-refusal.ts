import type { SqlCall } from '../../sql/analyze/function-calls.ts'

/** The longest text and the most rows that one call can be asked to produce. */
const maxTextLength = 1_000

const maxSeries = 10_000_000

/** Functions whose argument sets the size of their result need a small literal number. */
export const sizeRefusal = ({ name, args }: SqlCall, formatTakesPattern: boolean): string | null => {
  if (name === 'lpad' || name === 'rpad') return isSmall(args[1]) ? null : tooLong(name)
  if (name === 'space') return isSmall(args[0]) ? null : tooLong(name)
  if (name === 'printf' || (name === 'format' && formatTakesPattern)) return formatRefusal(name, args[0])
  if (name === 'generate_series' || name === 'range')
    return args.some(arg => typeof arg === 'number' && arg > maxSeries)
      ? `it calls ${name} for more than ${maxSeries.toLocaleString('en')} rows`
      : null
  return null
}

const isSmall = (arg: string | number | null | undefined): boolean =>
  typeof arg === 'number' && arg >= 0 && arg <= maxTextLength

const tooLong = (name: string): string =>
  `it calls ${name} with a length that is not a number up to ${maxTextLength.toLocaleString('en')}`

/** `%1000000000d` makes a gigabyte out of one number. */
const formatRefusal = (name: string, format: string | number | null | undefined): string | null => {
  if (typeof format !== 'string') return `it calls ${name} with a format that does not stand there as text`
  return /\d{4}|\*/.test(format) ? `it calls ${name} with a width that is too large or not a number` : null
}
