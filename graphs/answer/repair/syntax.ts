import { databaseDialect } from '../../../src/sql/dialects.ts'
import { parseSql } from '../../../src/sql/parse/parse-sql.ts'
import { quoteIdentifier } from '../../../src/sql/render/quote.ts'
import { applyEdits, closingOf, type Edit, isWord, type Statement } from './statement.ts'

/** Names that a statement is built of; as a column they are only believed next to a dot. */
const structural = new Set(
  'select from where join left right inner outer full cross on and or not as by in is null case when then else end having limit union with distinct between like exists all any'.split(
    ' ',
  ),
)

/**
 * Puts quotes around names of the catalog that cannot stand bare: with a space or another odd character in them, or
 * equal to a key word. Of key words some are meant as such, so the readings are tried, widest first, and the first
 * one that parses counts.
 */
export const quoteNames = (statement: Statement): readonly Edit[] => {
  const edits = bareNames(statement)
  const beside = edits.filter(({ kind }) => kind !== 'key word')
  return firstThatParses([edits, beside, onlySpecial(edits)], statement)
}

/** The same for a statement that parses already: there a key word is a key word, and only odd names can be meant. */
export const quoteSpecialNames = (statement: Statement): readonly Edit[] =>
  firstThatParses([onlySpecial(bareNames(statement))], statement)

const firstThatParses = (
  readings: readonly (readonly Edit[])[],
  { sql, database }: Statement,
): readonly Edit[] =>
  readings.find(reading => reading.length > 0 && parseSql(applyEdits(sql, reading), database.dialect).ok) ??
  []

/** A name without the quotes that it needs, and why it is taken for one. */
interface BareName extends Edit {
  readonly kind: 'odd' | 'beside a dot' | 'key word'
}

const onlySpecial = (edits: readonly BareName[]): readonly Edit[] =>
  edits.filter(({ kind }) => kind === 'odd')

const bareNames = (statement: Statement): readonly BareName[] => {
  const names: BareName[] = []
  for (const found of namesThatNeedQuotes(statement).flatMap(name => occurrencesOf(name, statement))) {
    if (names.every(name => found.end <= name.start || name.end <= found.start)) names.push(found)
  }
  return names
}

/** Longest first, so that `order line id` is not taken for `order line`. */
const namesThatNeedQuotes = ({ database }: Statement): readonly string[] => {
  const { tables } = database.catalog
  const names = new Set(tables.flatMap(table => [table.name, ...table.columns.map(column => column.name)]))
  return [...names]
    .filter(name => quoteIdentifier(name.toLowerCase(), database.dialect) !== name.toLowerCase())
    .sort((a, b) => b.length - a.length)
}

const occurrencesOf = (name: string, { sql, tokens, database }: Statement): readonly BareName[] => {
  const text = quoteIdentifier(name, database.dialect)
  const isOdd = /\W/.test(name)
  return tokens.flatMap((token, at): BareName[] => {
    const end = token.start + name.length
    const last = tokens.findIndex(other => other.end === end)
    if (token.kind === 'quoted' || token.kind === 'string' || last < at) return []
    if (sql.slice(token.start, end).toLowerCase() !== name.toLowerCase()) return []
    const edit = { start: token.start, end, text }
    if (isOdd) return [{ ...edit, kind: 'odd' }]
    const next = tokens[last + 1]
    if (tokens[at - 1]?.text === '.' || next?.text === '.') return [{ ...edit, kind: 'beside a dot' }]
    // `GROUP BY`, `ORDER BY`; a call; a word that statements are built of.
    if (next?.value === 'by' || next?.text === '(' || structural.has(token.value)) return []
    return [{ ...edit, kind: 'key word' }]
  })
}

/** Names subqueries of a FROM that have none; MySQL and older Postgres insist on it. */
export const nameSubqueries = (statement: Statement): readonly Edit[] => {
  const { tokens, database } = statement
  if (!databaseDialect(database.dialect).repair.subqueriesNeedNames) return []
  const taken = new Set(tokens.map(({ value }) => value.toLowerCase()))
  let number = 0
  const nextName = (): string => {
    do number += 1
    while (taken.has(`part_${number}`))
    return `part_${number}`
  }
  return statement.blocks.flatMap(({ from }) => {
    const isSource = tokens[from - 1]?.text === '(' && isWord(tokens[from - 2], 'from', 'join')
    const close = closingOf(from - 1, tokens)
    const end = tokens[close]
    const next = tokens[close + 1]
    const isNamed = (next?.kind === 'word' && !follows.has(next.value)) || next?.kind === 'quoted'
    return isSource && end && !isNamed ? [{ start: end.end, end: end.end, text: ` AS ${nextName()}` }] : []
  })
}

/** Words that may stand behind a source without being its name. */
const follows = new Set(
  'where group having order limit offset fetch window union intersect except join left right inner full cross natural on using'.split(
    ' ',
  ),
)

/**
 * What models write around a statement: a code fence before or behind it, and a SELECT before the SELECT. Takes text,
 * because with a fence it is no SQL; a fence is only looked for at its ends, where no string of a statement can be.
 */
export const stripWrapping = (sql: string, { dialect }: Statement['database']): string => {
  const bare = sql
    .replace(/^[\s\u200b\ufeff]*```[a-z]*\s*\n?/i, '')
    .replace(/[\s;]*```[\s\S]*$/, '')
    .replace(/^\s*select[\s\u200b\ufeff]+(?=(?:select|with)\s)/i, '')
    .trim()
  return bare !== sql.trim() && parseSql(bare, dialect).ok ? bare : sql
}
