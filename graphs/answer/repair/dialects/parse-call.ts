import type { Dialect } from '../../../../src/domain/sql.ts'
import { type Operation, parseDatePattern, type Unit, unitNamed } from './operation.ts'

/** A call as it is written: its arguments as SQL, and each as a text where it is a literal of one. */
interface SourceCall {
  readonly name: string
  readonly args: readonly string[]
  readonly texts: readonly (string | null)[]
}

interface ForeignFunction {
  /** Where a function of this name does the same already: there it is never touched. */
  readonly native: readonly Dialect[]
  readonly read: (call: SourceCall) => Operation | null
}

/** What a call means; null where the dialect has the function itself, or nobody knows it. */
export const parseCall = (call: SourceCall, dialect: Dialect): Operation | null => {
  const known = foreignFunctions[call.name]
  return known === undefined || known.native.includes(dialect) ? null : known.read(call)
}

/** `NOT`-`EXTRACT`: an argument with a word in the middle, `YEAR FROM x` or `INTERVAL 3 DAY`. */
const splitAt = (text: string, pattern: RegExp): readonly string[] | null =>
  pattern.exec(text)?.slice(1) ?? null

const renamed = (name: string, count: number, native: readonly Dialect[] = []): ForeignFunction => ({
  native,
  read: ({ args }) => (args.length === count ? { does: 'call', name, args } : null),
})

const nothing = (operation: Operation, native: readonly Dialect[] = []): ForeignFunction => ({
  native,
  read: ({ args }) => (args.length === 0 ? operation : null),
})

const part = (unit: Unit): ForeignFunction => ({
  native: ['mysql', 'duckdb'],
  read: ({ args: [of, ...more] }) => (of && more.length === 0 ? { does: 'part', unit, of } : null),
})

const formatted = (notation: 'to_char' | 'date_format', native: readonly Dialect[]): ForeignFunction => ({
  native,
  read: ({ args: [of], texts: [, text] }) => {
    const pattern = text == null ? null : parseDatePattern(text, notation)
    return of && pattern !== null ? { does: 'format', of, pattern } : null
  },
})

const chosen = (native: readonly Dialect[]): ForeignFunction => ({
  native,
  read: ({ args: [when, then, otherwise, ...more] }) =>
    when && then && more.length === 0 ? { does: 'choose', when, then, otherwise: otherwise ?? 'NULL' } : null,
})

const joined = (native: readonly Dialect[]): ForeignFunction => ({
  native,
  read: ({ args: [first = '', separator = "','", ...more] }) => {
    const distinct = splitAt(first, /^distinct\s+([\s\S]+)$/i)
    // An ORDER BY or SEPARATOR inside is left to others.
    if (first === '' || more.length > 0 || /\b(?:order\s+by|separator)\b/i.test(first + separator))
      return null
    return { does: 'join-texts', of: distinct?.[0] ?? first, isDistinct: distinct !== null, separator }
  },
})

const shifted = (sign: 1 | -1): ForeignFunction => ({
  native: ['mysql'],
  read: ({ args: [of, interval = ''] }) => {
    const [amount, name] = splitAt(interval, /^interval\s+'?(-?\d+)'?\s+'?([a-z]+)'?$/i) ?? []
    const unit = name === undefined ? null : unitNamed(name)
    return of && amount && unit ? { does: 'shift', of, amount: sign * Number(amount), unit } : null
  },
})

/** SQLite's `date(x, '-3 days', 'start of month')`. */
const sqliteMoment = (does: 'today' | 'now', native: readonly Dialect[]): ForeignFunction => ({
  native,
  read: ({ args: [of, ...more], texts: [start, modifier] }) => {
    if (!of) return null
    const now: Operation = { does }
    if (more.length === 0) return start === 'now' ? now : null
    const [amount, name] = splitAt(modifier ?? '', /^([+-]?\d+) ([a-z]+)$/i) ?? []
    const unit = name === undefined ? null : unitNamed(name)
    if (more.length > 1 || !amount || !unit) return null
    return { does: 'shift', of: start === 'now' ? 'CURRENT_TIMESTAMP' : of, amount: Number(amount), unit }
  },
})

const differing: ForeignFunction = {
  native: [],
  read: ({ args, texts }) => {
    const [first = '', second = '', third] = args
    if (third === undefined)
      return args.length === 2
        ? { does: 'difference', unit: 'day', from: second, to: first, counts: 'changes' }
        : null
    const unit = unitNamed(texts[0] ?? first)
    return unit && args.length === 3
      ? { does: 'difference', unit, from: second, to: third, counts: 'changes' }
      : null
  },
}

const foreignFunctions: Readonly<Record<string, ForeignFunction>> = {
  year: part('year'),
  month: part('month'),
  day: part('day'),
  dayofmonth: part('day'),
  hour: part('hour'),
  minute: part('minute'),
  second: part('second'),
  quarter: part('quarter'),
  extract: {
    native: ['postgres', 'mysql', 'duckdb'],
    read: ({ args: [only = '', ...more] }) => {
      const [name = '', of = ''] = splitAt(only, /^'?([a-z]+)'?\s+from\s+([\s\S]+)$/i) ?? []
      const unit = unitNamed(name)
      return unit && more.length === 0 ? { does: 'part', unit, of } : null
    },
  },
  date_part: {
    native: ['postgres', 'duckdb'],
    read: ({ args: [, of], texts: [name] }) => {
      const unit = unitNamed(name ?? '')
      return unit && of ? { does: 'part', unit, of } : null
    },
  },
  date_trunc: {
    native: ['postgres', 'duckdb'],
    read: ({ args: [, of], texts: [name] }) => {
      const unit = unitNamed(name ?? '')
      return unit && of ? { does: 'truncate', unit, of } : null
    },
  },
  strftime: {
    native: ['sqlite'],
    read: ({ args, texts }) => {
      const at = texts[0] == null ? 1 : 0
      const pattern = texts[at] == null ? null : parseDatePattern(texts[at], 'strftime')
      const of = args[1 - at]
      if (pattern === null || args.length !== 2 || of === undefined) return null
      // As DuckDB writes it, of what is no text.
      if (at === 1 && /^cast\s*\(/i.test(of)) return null
      return { does: 'format', of: texts[1 - at] === 'now' ? 'CURRENT_TIMESTAMP' : of, pattern }
    },
  },
  date_format: formatted('date_format', ['mysql']),
  to_char: formatted('to_char', ['postgres']),
  datediff: { ...differing, native: ['mysql'] },
  date_diff: { ...differing, native: ['duckdb'] },
  timestampdiff: {
    native: ['mysql'],
    read: ({ args: [name = '', from, to] }) => {
      const unit = unitNamed(name)
      return unit && from && to ? { does: 'difference', unit, from, to, counts: 'whole' } : null
    },
  },
  julianday: {
    native: ['sqlite'],
    read: ({ args: [of], texts: [text] }) =>
      of ? { does: 'julian', of: text === 'now' ? 'CURRENT_TIMESTAMP' : of } : null,
  },
  date_add: shifted(1),
  date_sub: shifted(-1),
  date: sqliteMoment('today', ['sqlite']),
  datetime: sqliteMoment('now', ['sqlite']),
  now: nothing({ does: 'now' }, ['postgres', 'mysql', 'duckdb']),
  getdate: nothing({ does: 'now' }),
  sysdate: nothing({ does: 'now' }, ['mysql']),
  curdate: nothing({ does: 'today' }, ['mysql']),
  current_date: nothing({ does: 'today' }, ['mysql']),
  ifnull: renamed('COALESCE', 2, ['sqlite', 'mysql', 'duckdb']),
  nvl: renamed('COALESCE', 2),
  isnull: renamed('COALESCE', 2),
  if: chosen(['mysql', 'duckdb', 'sqlite']),
  iif: chosen(['sqlite']),
  group_concat: joined(['sqlite', 'mysql', 'duckdb']),
  string_agg: joined(['postgres', 'sqlite', 'duckdb']),
  listagg: joined([]),
  instr: {
    native: ['sqlite', 'mysql', 'duckdb'],
    read: ({ args: [within, text] }) => (within && text ? { does: 'find', text, within } : null),
  },
  strpos: {
    native: ['postgres', 'duckdb'],
    read: ({ args: [within, text] }) => (within && text ? { does: 'find', text, within } : null),
  },
  locate: {
    native: ['mysql'],
    read: ({ args: [text, within, ...more] }) =>
      text && within && more.length === 0 ? { does: 'find', text, within } : null,
  },
  charindex: {
    native: [],
    read: ({ args: [text, within, ...more] }) =>
      text && within && more.length === 0 ? { does: 'find', text, within } : null,
  },
  left: {
    native: ['postgres', 'mysql', 'duckdb'],
    read: ({ args: [of, length] }) => (of && length ? { does: 'beginning', of, length } : null),
  },
  right: {
    native: ['postgres', 'mysql', 'duckdb'],
    read: ({ args: [of, length] }) => (of && length ? { does: 'ending', of, length } : null),
  },
  len: renamed('length', 1, ['duckdb']),
  char_length: renamed('length', 1, ['postgres', 'mysql', 'duckdb']),
  character_length: renamed('length', 1, ['postgres', 'mysql', 'duckdb']),
  ucase: renamed('upper', 1, ['mysql', 'duckdb']),
  lcase: renamed('lower', 1, ['mysql', 'duckdb']),
  average: renamed('avg', 1),
  maximum: renamed('max', 1),
  minimum: renamed('min', 1),
  total: {
    native: ['sqlite'],
    read: ({ args: [of, ...more] }) =>
      of && more.length === 0 ? { does: 'call', name: 'COALESCE', args: [`SUM(${of})`, '0'] } : null,
  },
  greatest: {
    native: ['postgres', 'mysql', 'duckdb'],
    read: ({ args }) => (args.length > 1 ? { does: 'call', name: 'max', args } : null),
  },
  least: {
    native: ['postgres', 'mysql', 'duckdb'],
    read: ({ args }) => (args.length > 1 ? { does: 'call', name: 'min', args } : null),
  },
  round: {
    native: ['sqlite', 'mysql', 'duckdb'],
    read: ({ args: [of, digits] }) =>
      of && digits && !/^cast\s*\(/i.test(of) ? { does: 'round', of, digits } : null,
  },
}
