import type { Dialect } from '../../../../src/domain/sql.ts'
import { databaseDialect } from '../../../../src/sql/dialects.ts'
import {
  type PortableOperation,
  parseDatePattern,
  type Unit,
  unitNamed,
} from '../../../../src/sql/rewrite/portable-operation.ts'

/** A call as it is written: its arguments as SQL, and each as a text where it is a literal of one. */
interface SourceCall {
  readonly name: string
  readonly args: readonly string[]
  readonly texts: readonly (string | null)[]
}

type ReadCall = (call: SourceCall) => PortableOperation | null

/** What a call means; null if the dialect has the function itself, or if its meaning is not known. */
export const parseCall = (call: SourceCall, dialect: Dialect): PortableOperation | null =>
  databaseDialect(dialect).repair.ownFunctions.has(call.name)
    ? null
    : (foreignFunctions.get(call.name)?.(call) ?? null)

/** An argument with a word in the middle, such as `YEAR FROM x` or `INTERVAL 3 DAY`, as the groups of a pattern. */
const splitAt = (text: string, pattern: RegExp): readonly string[] | null =>
  pattern.exec(text)?.slice(1) ?? null

const renamed =
  (name: string, count: number): ReadCall =>
  ({ args }) =>
    args.length === count ? { does: 'call', name, args } : null

const withoutArguments =
  (operation: PortableOperation): ReadCall =>
  ({ args }) =>
    args.length === 0 ? operation : null

const part =
  (unit: Unit): ReadCall =>
  ({ args: [of, ...more] }) =>
    of && more.length === 0 ? { does: 'part', unit, of } : null

const formatted =
  (notation: 'to_char' | 'date_format'): ReadCall =>
  ({ args: [of], texts: [, text] }) => {
    const pattern = text == null ? null : parseDatePattern(text, notation)
    return of && pattern !== null ? { does: 'format', of, pattern } : null
  }

const chosen: ReadCall = ({ args: [when, then, otherwise, ...more] }) =>
  when && then && more.length === 0 ? { does: 'choose', when, then, otherwise: otherwise ?? 'NULL' } : null

const joined: ReadCall = ({ args: [first = '', separator = "','", ...more] }) => {
  const distinct = splitAt(first, /^distinct\s+([\s\S]+)$/i)
  // An ORDER BY or SEPARATOR inside is not translated.
  if (first === '' || more.length > 0 || /\b(?:order\s+by|separator)\b/i.test(first + separator)) return null
  return { does: 'join-texts', of: distinct?.[0] ?? first, isDistinct: distinct !== null, separator }
}

const shifted =
  (sign: 1 | -1): ReadCall =>
  ({ args: [of, interval = ''] }) => {
    const [amount, name] = splitAt(interval, /^interval\s+'?(-?\d+)'?\s+'?([a-z]+)'?$/i) ?? []
    const unit = name === undefined ? null : unitNamed(name)
    return of && amount && unit ? { does: 'shift', of, amount: sign * Number(amount), unit } : null
  }

/** SQLite's `date(x, '-3 days', 'start of month')`. */
const sqliteMoment =
  (does: 'today' | 'now'): ReadCall =>
  ({ args: [of, ...more], texts: [start, modifier] }) => {
    if (!of) return null
    if (more.length === 0) return start === 'now' ? { does } : null
    const [amount, name] = splitAt(modifier ?? '', /^([+-]?\d+) ([a-z]+)$/i) ?? []
    const unit = name === undefined ? null : unitNamed(name)
    if (more.length > 1 || !amount || !unit) return null
    return { does: 'shift', of: start === 'now' ? 'CURRENT_TIMESTAMP' : of, amount: Number(amount), unit }
  }

const differing: ReadCall = ({ args, texts }) => {
  const [first = '', second = '', third] = args
  if (third === undefined)
    return args.length === 2
      ? { does: 'difference', unit: 'day', from: second, to: first, counts: 'changes' }
      : null
  const unit = unitNamed(texts[0] ?? first)
  return unit && args.length === 3
    ? { does: 'difference', unit, from: second, to: third, counts: 'changes' }
    : null
}

/** The functions whose meaning is known, by the names that some dialect gives them. */
const foreignFunctions: ReadonlyMap<string, ReadCall> = new Map(
  Object.entries<ReadCall>({
    year: part('year'),
    month: part('month'),
    day: part('day'),
    dayofmonth: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
    quarter: part('quarter'),
    extract: ({ args: [only = '', ...more] }) => {
      const [name = '', of = ''] = splitAt(only, /^'?([a-z]+)'?\s+from\s+([\s\S]+)$/i) ?? []
      const unit = unitNamed(name)
      return unit && more.length === 0 ? { does: 'part', unit, of } : null
    },
    date_part: ({ args: [, of], texts: [name] }) => {
      const unit = unitNamed(name ?? '')
      return unit && of ? { does: 'part', unit, of } : null
    },
    date_trunc: ({ args: [, of], texts: [name] }) => {
      const unit = unitNamed(name ?? '')
      return unit && of ? { does: 'truncate', unit, of } : null
    },
    strftime: ({ args, texts }) => {
      const at = texts[0] == null ? 1 : 0
      const pattern = texts[at] == null ? null : parseDatePattern(texts[at], 'strftime')
      const of = args[1 - at]
      if (pattern === null || args.length !== 2 || of === undefined) return null
      // DuckDB's order of arguments, with a value that is not a text.
      if (at === 1 && /^cast\s*\(/i.test(of)) return null
      return { does: 'format', of: texts[1 - at] === 'now' ? 'CURRENT_TIMESTAMP' : of, pattern }
    },
    date_format: formatted('date_format'),
    to_char: formatted('to_char'),
    datediff: differing,
    date_diff: differing,
    timestampdiff: ({ args: [name = '', from, to] }) => {
      const unit = unitNamed(name)
      return unit && from && to ? { does: 'difference', unit, from, to, counts: 'whole' } : null
    },
    julianday: ({ args: [of], texts: [text] }) =>
      of ? { does: 'julian', of: text === 'now' ? 'CURRENT_TIMESTAMP' : of } : null,
    date_add: shifted(1),
    date_sub: shifted(-1),
    date: sqliteMoment('today'),
    datetime: sqliteMoment('now'),
    now: withoutArguments({ does: 'now' }),
    getdate: withoutArguments({ does: 'now' }),
    sysdate: withoutArguments({ does: 'now' }),
    curdate: withoutArguments({ does: 'today' }),
    current_date: withoutArguments({ does: 'today' }),
    ifnull: renamed('COALESCE', 2),
    nvl: renamed('COALESCE', 2),
    isnull: renamed('COALESCE', 2),
    if: chosen,
    iif: chosen,
    group_concat: joined,
    string_agg: joined,
    listagg: joined,
    instr: ({ args: [within, text] }) => (within && text ? { does: 'find', text, within } : null),
    strpos: ({ args: [within, text] }) => (within && text ? { does: 'find', text, within } : null),
    locate: ({ args: [text, within, ...more] }) =>
      text && within && more.length === 0 ? { does: 'find', text, within } : null,
    charindex: ({ args: [text, within, ...more] }) =>
      text && within && more.length === 0 ? { does: 'find', text, within } : null,
    left: ({ args: [of, length] }) => (of && length ? { does: 'beginning', of, length } : null),
    right: ({ args: [of, length] }) => (of && length ? { does: 'ending', of, length } : null),
    len: renamed('length', 1),
    char_length: renamed('length', 1),
    character_length: renamed('length', 1),
    ucase: renamed('upper', 1),
    lcase: renamed('lower', 1),
    average: renamed('avg', 1),
    maximum: renamed('max', 1),
    minimum: renamed('min', 1),
    total: ({ args: [of, ...more] }) =>
      of && more.length === 0 ? { does: 'call', name: 'COALESCE', args: [`SUM(${of})`, '0'] } : null,
    greatest: ({ args }) => (args.length > 1 ? { does: 'call', name: 'max', args } : null),
    least: ({ args }) => (args.length > 1 ? { does: 'call', name: 'min', args } : null),
    round: ({ args: [of, digits] }) =>
      of && digits && !/^cast\s*\(/i.test(of) ? { does: 'round', of, digits } : null,
  }),
)
