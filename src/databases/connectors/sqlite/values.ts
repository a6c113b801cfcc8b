import type { Cell, ValueKind } from '../../../domain/result.ts'

/** Declared types in the order in which they are tried. SQLite allows any words as a type. */
const declaredKinds: readonly (readonly [RegExp, ValueKind])[] = [
  [/BOOL/, 'boolean'],
  [/DATETIME|TIMESTAMP/, 'timestamp'],
  [/^DATE\b/, 'date'],
  [/^TIME\b/, 'time'],
  [/JSON/, 'json'],
  [/INTERVAL|CHAR|CLOB|TEXT|STRING|UUID|ENUM/, 'text'],
  [/INT|^YEAR\b/, 'integer'],
  [/BLOB|BINARY|BYTEA/, 'blob'],
  [/REAL|FLOA|DOUB|NUM|DEC|MONEY|CURRENCY/, 'number'],
]

/** The kind that a declared type promises; `unknown` if it is missing or says nothing. Rows can break the promise. */
export const declaredKind = (type: string | null): ValueKind => {
  const upper = (type ?? '').toUpperCase().trim()
  if (upper === '') return 'unknown'
  return declaredKinds.find(([pattern]) => pattern.test(upper))?.[1] ?? 'unknown'
}

/**
 * A value from node:sqlite with `setReadBigInts`, as a cell. Infinity is text, as in the other connectors; SQLite
 * has no NaN. Bytes that are not valid UTF-8 have already become U+FFFD.
 */
export const toCell = (value: unknown): Cell => {
  if (typeof value === 'bigint')
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value
  if (typeof value === 'number' && !Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity'
  return value as Cell
}

const isoDate = /^-?\d{4}-\d\d-\d\d$/

const isoTimestamp = /^-?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/

const isoTime = /^\d\d:\d\d(:\d\d(\.\d+)?)?$/

/** Collects which kinds of values one column of a result has. */
interface KindTracker {
  readonly see: (value: unknown) => void
  readonly kind: () => ValueKind
}

/**
 * The kind of a result's column. In SQLite the values decide: a column declared INTEGER may hold text, and an
 * expression is declared as nothing. The declared type settles what values cannot: 0 and 1 as booleans, whole
 * numbers in a column of decimals, and a column without any value.
 */
export const makeKindTracker = (declaredType: string | null): KindTracker => {
  const declared = declaredKind(declaredType)
  const seen = { integers: 0, bits: 0, reals: 0, texts: 0, blobs: 0, dates: 0, timestamps: 0, times: 0 }

  const see = (value: unknown): void => {
    if (value === null) return
    if (typeof value === 'bigint') {
      seen.integers += 1
      if (value === 0n || value === 1n) seen.bits += 1
    } else if (typeof value === 'number') seen.reals += 1
    else if (typeof value === 'string') {
      seen.texts += 1
      if (value.length <= 40) {
        if (isoDate.test(value)) seen.dates += 1
        else if (isoTimestamp.test(value)) seen.timestamps += 1
        else if (isoTime.test(value)) seen.times += 1
      }
    } else seen.blobs += 1
  }

  const kindOfTexts = (): ValueKind => {
    if (seen.dates === seen.texts) return 'date'
    if (seen.timestamps === seen.texts) return 'timestamp'
    if (seen.times === seen.texts && declared !== 'text') return 'time'
    return declared === 'json' ? 'json' : 'text'
  }

  const kind = (): ValueKind => {
    const numbers = seen.integers + seen.reals
    if (numbers + seen.texts + seen.blobs === 0) return declared
    if (numbers === 0) return seen.blobs === 0 ? kindOfTexts() : seen.texts === 0 ? 'blob' : 'unknown'
    if (seen.texts + seen.blobs > 0) return 'unknown'
    if (seen.reals > 0) return 'number'
    if (declared === 'boolean' && seen.bits === seen.integers) return 'boolean'
    return declared === 'number' ? 'number' : 'integer'
  }

  return { see, kind }
}
