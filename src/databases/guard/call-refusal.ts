import type { SqlCall } from '../../sql/function-calls.ts'
import type { GuardRules } from '../../sql/sql-dialect.ts'

/** The longest text that one call may be told to make, and the most rows. */
const maxTextLength = 1_000

const maxSeries = 10_000_000

/**
 * Why a call is refused, in words; null if it is allowed. `extra` are names that the owner of the database allows as
 * well, with their schema if they are called with it.
 */
export const callRefusal = (
  call: SqlCall,
  rules: Pick<GuardRules, 'functions' | 'isPlainSchema' | 'formatTakesPattern'>,
  extra: ReadonlySet<string>,
): string | null => {
  const full = call.schema === null ? call.name : `${call.schema}.${call.name}`
  if (extra.has(full)) return null
  const isPlain = call.schema === null || rules.isPlainSchema(call.schema)
  if (!isPlain || !rules.functions.has(call.name))
    return `it calls ${full}, which is not on the list of allowed functions`
  return sizeRefusal(call, rules.formatTakesPattern)
}

/** Functions that make as much as they are told to need a small number, written out. */
const sizeRefusal = ({ name, args }: SqlCall, formatTakesPattern: boolean): string | null => {
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
