import type { Cell, ValueKind } from '../../../domain/result.ts'
import { parseDecimal, parseFloating, wholeNumber } from '../numbers.ts'

/** A type without what only says how it is stored: `LowCardinality(Nullable(String))` is `String`. */
export const bareType = (type: string): string => {
  const inner = /^(?:Nullable|LowCardinality)\((.*)\)$/s.exec(type)?.[1]
  return inner === undefined ? type : bareType(inner)
}

/** True if values of a type can be NULL. */
export const isNullable = (type: string): boolean => /^(?:LowCardinality\()?Nullable\(/.test(type)

const kinds: readonly (readonly [RegExp, ValueKind])[] = [
  [/^U?Int(8|16|32|64|128|256)$/, 'integer'],
  [/^Decimal(?:\d+)?\((?:\d+, *)?0\)$/, 'integer'],
  [/^(Float|BFloat|Decimal)/, 'number'],
  [/^Bool$/, 'boolean'],
  [/^Date(?:32)?$/, 'date'],
  [/^DateTime/, 'timestamp'],
  [/^Time/, 'time'],
  [/^(String|FixedString|Enum|UUID|IPv[46]|Nothing|Interval)/, 'text'],
  [
    /^(Array|Map|Tuple|Nested|JSON|Object|Variant|Dynamic|Point|Ring|Polygon|MultiPolygon|LineString)/,
    'json',
  ],
  [/^AggregateFunction/, 'blob'],
  [/^SimpleAggregateFunction/, 'unknown'],
]

/** The kind that a type promises, such as `Nullable(Decimal(18, 2))`. */
export const kindOfType = (type: string): ValueKind => {
  const bare = bareType(type)
  return kinds.find(([pattern]) => pattern.test(bare))?.[1] ?? 'unknown'
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  0: '\0',
  a: '\x07',
  v: '\v',
}

/** Text as the server's tab-separated format writes it. */
export const unescapeText = (text: string): string =>
  text.includes('\\') ? text.replace(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter) : text

/** Makes the reader of a column's fields. */
export const makeToCell = (type: string): ((field: string) => Cell) => {
  const read = readerOf(bareType(type))
  return field => (field === '\\N' ? null : read(field))
}

const readerOf = (type: string): ((field: string) => Cell) => {
  switch (kindOfType(type)) {
    case 'integer':
      return field => (/^-?\d+$/.test(field) ? wholeNumber(BigInt(field)) : parseDecimal(field))
    case 'number':
      return type.startsWith('Decimal') ? parseDecimal : parseFloating
    case 'boolean':
      return field => field === 'true' || field === '1'
    case 'timestamp':
      return field => field.replace(' ', 'T').replace(/(:\d\d)\.0+$/, '$1')
    case 'json':
      return field => nestedJson(field, type)
    default:
      // A fixed length is filled up with NUL, which is part of no text.
      return type.startsWith('FixedString') ? field => unescapeText(field).replace(/\0+$/, '') : unescapeText
  }
}

/** Names of a tuple's fields: `Tuple(n Int32, t String)` has n and t; null if it has none. */
const tupleNames = (type: string): readonly string[] | null => {
  const inner = /^Tuple\((.*)\)$/s.exec(type)?.[1]
  if (inner === undefined) return null
  const names = splitTopLevel(inner).map(part => /^(`(?:[^`]|``)+`|[A-Za-z_]\w*) +\S/.exec(part.trim())?.[1])
  return names.every(name => name !== undefined) ? names.map(name => name.replaceAll('`', '')) : null
}

const splitTopLevel = (text: string): readonly string[] => {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    else if (text[at] === ')') depth -= 1
    else if (text[at] === ',' && depth === 0) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)]
}

/** The server writes arrays as `['a','b']`, tuples as `(1,'a')` and maps as `{'a':1}`; JSON as it is. */
const nestedJson = (text: string, type: string): string => {
  if (/^(?:JSON|Object|Variant|Dynamic)/.test(type)) return unescapeText(text)
  const reader = { text, at: 0 }
  const json = readNested(reader, type)
  return reader.at === text.length ? json : text
}

interface Reader {
  readonly text: string
  at: number
}

const elementType = (type: string): string => bareType(/^\w+\((.*)\)$/s.exec(type)?.[1] ?? '')

const readNested = (reader: Reader, type: string): string => {
  switch (reader.text[reader.at]) {
    case '[':
      return `[${readList(reader, ']', () => readNested(reader, elementType(type))).join(',')}]`
    case '(': {
      const names = tupleNames(type)
      const parts = readList(reader, ')', () => readNested(reader, ''))
      return names !== null && names.length === parts.length
        ? `{${parts.map((part, index) => `${JSON.stringify(names[index])}:${part}`).join(',')}}`
        : `[${parts.join(',')}]`
    }
    case '{':
      return `{${readList(reader, '}', () => {
        const key = readNested(reader, '')
        reader.at += 1
        return `${key.startsWith('"') ? key : JSON.stringify(key)}:${readNested(reader, '')}`
      }).join(',')}}`
    case "'":
      return readQuoted(reader)
    default:
      return readBare(reader)
  }
}

const readList = (reader: Reader, end: string, item: () => string): readonly string[] => {
  const items: string[] = []
  reader.at += 1
  while (reader.at < reader.text.length && reader.text[reader.at] !== end) {
    items.push(item())
    if (reader.text[reader.at] === ',') reader.at += 1
  }
  reader.at += 1
  return items
}

const readQuoted = (reader: Reader): string => {
  const start = reader.at + 1
  let at = start
  while (at < reader.text.length && reader.text[at] !== "'") at += reader.text[at] === '\\' ? 2 : 1
  reader.at = at + 1
  return JSON.stringify(unescapeText(reader.text.slice(start, at)))
}

const readBare = (reader: Reader): string => {
  const start = reader.at
  while (reader.at < reader.text.length && !',:])}'.includes(reader.text[reader.at] as string)) reader.at += 1
  // Something has to be read, or a text that is none of these would be read forever.
  if (reader.at === start) reader.at += 1
  const word = reader.text.slice(start, reader.at)
  if (word === 'NULL') return 'null'
  return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/.test(word) || word === 'true' || word === 'false'
    ? word
    : JSON.stringify(word)
}
