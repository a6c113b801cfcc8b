import type { LayerExpression } from '../../domain/metrics/semantic-layer.ts'
import { untranslatable } from './imported-layer.ts'

/** A token of SQL as other tools write it: the dialect is not known, and references to fields stand in braces. */
export interface ImportToken {
  readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'reference' | 'symbol'
  readonly text: string
  readonly start: number
  readonly end: number
}

const tokenPattern =
  /(?<space>\s+|--[^\n]*|\/\*[\s\S]*?\*\/)|(?<string>'(?:[^'\\]|\\.|'')*')|(?<quoted>"[^"]*"|`[^`]*`|(?<![\w)\]])\[[A-Za-z_][^[\]]*\])|(?<reference>\$?\{[^{}]*\})|(?<word>[\p{L}_][\p{L}\p{N}_$]*)|(?<number>\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)|(?<symbol>::|<>|!=|<=|>=|\|\||->>?|[\s\S])/gu

/** The tokens of a text without spaces and comments. */
export const importTokens = (text: string): readonly ImportToken[] =>
  [...text.matchAll(tokenPattern)].flatMap(match => {
    const [kind] = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined) ?? ['symbol']
    return kind === 'space'
      ? []
      : [
          {
            kind: kind as ImportToken['kind'],
            text: match[0],
            start: match.index,
            end: match.index + match[0].length,
          },
        ]
  })

/** SQL as text and the names of columns in it. */
export type SqlPart = string | SqlName

/** A column, of another model if it has a qualifier. */
export interface SqlName {
  readonly qualifier: string | null
  readonly name: string
  /** The name as it was written, with its quotes. */
  readonly written: string
}

const words = (text: string): readonly string[] => text.split(/\s+/)

/** Words that are not names of columns. Types are not among them: they only stand behind AS and `::`. */
const keywords = new Set(
  words(
    `select from where and or not in is null like ilike rlike regexp between case when then else end as distinct true
    false asc desc on using interval cast try_cast safe_cast extract over partition by order group having limit union all
    exists with within filter current_date current_timestamp current_time current_user escape nulls collate`,
  ),
)

/** Words that belong to the one before them. */
const endings =
  /^(nulls (first|last)|double precision|with time|without time|time zone|at time|rows between|range between)$/

/** Units of time, which stand where a column could as well. */
const units = new Set(
  words(
    'second minute hour day week isoweek month quarter year dayofweek dayofyear hours days weeks months years',
  ),
)

/** A text as parts. Names are bare words, quoted names, and two of them with a dot; functions and types are text. */
export const sqlParts = (text: string): readonly SqlPart[] => {
  const tokens = importTokens(text)
  const parts: SqlPart[] = []
  let end = 0
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    if (!isName(tokens, at)) continue
    const [dot, second] = [tokens[at + 1], tokens[at + 2]]
    const isPair = dot?.text === '.' && second !== undefined && /^(word|quoted)$/.test(second.kind)
    const last = isPair ? second : token
    if (tokens[tokens.indexOf(last) + 1]?.text === '(') continue
    parts.push(text.slice(end, token.start), {
      qualifier: isPair ? unquoted(token.text) : null,
      name: unquoted(last.text),
      written: last.text.startsWith('[') ? quotedName(unquoted(last.text)) : last.text,
    })
    end = last.end
    at += isPair ? 2 : 0
  }
  return [...parts, text.slice(end)].filter(part => part !== '')
}

const isName = (tokens: readonly ImportToken[], at: number): boolean => {
  const [before, token, next] = [tokens[at - 1], tokens[at]!, tokens[at + 1]]
  if (before?.text === '.' || before?.text === '::' || /^as$/i.test(before?.text ?? '')) return false
  // In BigQuery, double quotes are for texts, which are compared or listed.
  if (token.kind === 'quoted')
    return /^[`[]/.test(token.text) || !/^(=|!=|<>|,|\(|like|then|else)$/i.test(before?.text ?? '')
  if (token.kind !== 'word' || next?.text === '(') return false
  const word = token.text.toLowerCase()
  if (endings.test(`${before?.text.toLowerCase()} ${word}`)) return false
  if (keywords.has(word)) return next?.text === '.'
  const isUnit = units.has(word) && /^(\(|,|interval)$|^\d|^'/i.test(before?.text ?? '')
  return !isUnit && !(word === 'date' && next?.kind === 'string') && next?.kind !== 'string'
}

/** A name without its quotes. */
export const unquoted = (text: string): string =>
  /^(["`]).*\1$/s.test(text) || /^\[.*\]$/s.test(text) ? text.slice(1, -1) : text

/** A name in standard SQL; square brackets are read by few databases. */
const quotedName = (name: string): string => (/^\w+$/.test(name) ? name : `"${name}"`)

/** Parts as text. */
export const partsText = (parts: readonly SqlPart[]): string =>
  parts
    .map(part =>
      typeof part === 'string'
        ? part
        : part.qualifier === null
          ? part.written
          : `${part.qualifier}.${part.written}`,
    )
    .join('')
    .replace(/--[^\n]*(\n|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Parts as an expression of the layer. */
export const partsExpression = (parts: readonly SqlPart[]): LayerExpression => {
  const column = columnOfParts(parts)
  if (column !== null) return { kind: 'column', column }
  const text = partsText(parts)
  return text === '' ? untranslatable('Its SQL is empty.') : { kind: 'sql', text }
}

/** The column of the model itself that parts consist of; null if they are something else. */
export const columnOfParts = (parts: readonly SqlPart[]): string | null => {
  const kept = parts.filter(part => typeof part !== 'string' || part.trim() !== '')
  const [only] = kept
  return kept.length === 1 && typeof only === 'object' && only.qualifier === null ? only.name : null
}

/** Parts of a model in the words of one that joins it. */
export const qualified = (parts: readonly SqlPart[], qualifier: string): readonly SqlPart[] =>
  parts.map(part => (typeof part === 'string' || part.qualifier !== null ? part : { ...part, qualifier }))

/** Parts to stand inside others. */
export const inBrackets = (parts: readonly SqlPart[]): readonly SqlPart[] =>
  parts.length === 1 && (typeof parts[0] !== 'string' || /^[\w']+$/.test(parts[0]))
    ? parts
    : ['(', ...parts, ')']

/** The names in parts. */
export const namesIn = (parts: readonly SqlPart[]): readonly SqlName[] =>
  parts.filter(part => typeof part !== 'string')

/** Replaces names in parts; null keeps one. */
export const replaceNames = (
  parts: readonly SqlPart[],
  replacement: (name: SqlName) => readonly SqlPart[] | null,
): readonly SqlPart[] =>
  parts.flatMap(part => {
    const other = typeof part === 'string' ? null : replacement(part)
    return other === null ? [part] : parts.length === 1 ? other : inBrackets(other)
  })

/** Throws if a text has templates of a tool that would have to run. */
export const checkTemplates = (text: string): void => {
  if (/\{%/.test(text) || /\{\{/.test(text))
    untranslatable(
      'It contains a template ({{ }} or {% %}), which Querent does not run. Write it as plain SQL.',
    )
}

const aggregateCall =
  /\b(sum|count|avg|average|min|max|median|percentile_cont|percentile_disc|array_agg|listagg|string_agg|stddev\w*|variance|approx_\w+|count_if|countif|any_value|row_number|rank|dense_rank|lag|lead|first_value|last_value|ntile)\s*\(/i

/** Throws if the SQL of a row-level field has to look at other rows. */
export const checkRowLevel = (parts: readonly SqlPart[]): readonly SqlPart[] => {
  const text = parts.map(part => (typeof part === 'string' ? part : 'x')).join('')
  if (/\bselect\b/i.test(text))
    untranslatable('It contains a subquery. Add the value as a column of a view and use that column.')
  if (/\bover\s*\(/i.test(text) || aggregateCall.test(text))
    untranslatable(
      'It is calculated from several rows. Add the value as a column of a view, or make it a metric.',
    )
  return parts
}

/** A name of a table, which can have quotes, a schema and a database in front. */
export const tableOf = (text: string): { readonly schema: string | null; readonly name: string } => {
  const whole = text.trim().replace(/;+$/, '').trim()
  // In BigQuery one pair of backticks is around the whole path.
  const path = /^`[^`]+`$/.test(whole) ? whole.slice(1, -1) : whole
  const names = path.match(/"[^"]+"|`[^`]+`|\[[^\]]+\]|[^.\s"`[\]]+/g) ?? []
  const isPath = names.length > 0 && names.join('.') === path.replace(/\s*\.\s*/g, '.')
  const own = isPath ? names.map(unquoted) : []
  const name = own.at(-1)
  if (name === undefined || /[(){};]/.test(name))
    return untranslatable(
      'Its rows come from a query, not from a table. Make a view of the query in the database and point the model to it.',
    )
  return { schema: own.at(-2) ?? null, name }
}

/** The table of `SELECT * FROM table`; other queries are not tables. */
export const tableOfQuery = (sql: string): { readonly schema: string | null; readonly name: string } => {
  const all = /^\s*\(?\s*select\s+\*\s+from\s+([^\s()]+)\s*\)?\s*;?\s*$/i.exec(sql)
  return tableOf(all?.[1] ?? sql)
}
