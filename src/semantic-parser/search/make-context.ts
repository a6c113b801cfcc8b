import type { Understanding } from '../../core/understanding.ts'
import type { FindValues } from '../../core/value-match.ts'
import type { Adjective } from '../../lib/lexicon/adjectives.ts'
import { stemWord } from '../../lib/stem-word.ts'
import type { LinkContext } from '../link/link-context.ts'
import { type Lattice, linkQuestion } from '../link/link-question.ts'
import { matchTokens } from '../link/span-matches.ts'
import type { Weights } from '../rank/features.ts'
import type { ColumnEntry, SchemaIndex, TableEntry } from '../schema/schema-index.ts'
import { tokenize } from '../tokenise/tokenise.ts'
import { findAdjacentWords } from './little-words.ts'
import type { SearchContext } from './search-context.ts'

const YEAR_COLUMNS = 6
const ADJECTIVE_COLUMNS = 5
/** What an exact column or value says for its table, where naming the table itself is 1. */
const INDIRECT_SUPPORT = 0.6

/**
 * Links a question and lays out what the search needs to know about columns that are meant without being named. `known`
 * are tables that it is about though it does not name them, because an earlier question did.
 */
export const makeSearchContext = (
  understanding: Understanding,
  schema: SchemaIndex,
  findValues: FindValues,
  weights: Weights,
  known: readonly TableEntry[] = [],
): SearchContext => {
  const tokens = tokenize(understanding.text)
  const matches = matchTokens(tokens, schema.stems)
  const link: LinkContext = { tokens, matches, schema, findValues, spans: understanding.spans, weights }
  const lattice = linkQuestion(link, understanding.text)
  const asked = questionStems(link)
  const suits = columnFit(asked, lattice, schema, known)
  const best = (columns: readonly ColumnEntry[], most: number): readonly ColumnEntry[] =>
    columns
      .map(column => ({ column, rank: suits(column) }))
      .sort((a, b) => b.rank - a.rank || a.column.id - b.column.id)
      .slice(0, most)
      .map(entry => entry.column)
  const adjectives = new Map<Adjective, readonly { column: ColumnEntry; up: boolean }[]>()
  return {
    tokens,
    lattice,
    schema,
    weights,
    contexts: findAdjacentWords(tokens),
    momentColumns: best(
      schema.columns.filter(column => column.traits.moment),
      schema.columns.length,
    ),
    spoken: column =>
      column.words.some(word => word.weight === 1 && word.stems.some(stem => asked.has(stem))),
    yearColumns: best(
      schema.columns.filter(column => column.traits.year),
      YEAR_COLUMNS,
    ),
    columnsOf: adjective => {
      const known = adjectives.get(adjective)
      if (known) return known
      const made = [
        ...best(measuredBy(schema, adjective.more), ADJECTIVE_COLUMNS).map(column => ({ column, up: true })),
        ...best(measuredBy(schema, adjective.less), ADJECTIVE_COLUMNS).map(column => ({ column, up: false })),
      ].sort((a, b) => suits(b.column) - suits(a.column))
      adjectives.set(adjective, made)
      return made
    },
  }
}

/** Columns that hold sizes or moments and have one of the words in their names. */
const measuredBy = (schema: SchemaIndex, words: readonly string[]): readonly ColumnEntry[] => {
  const stems = words.map(stemWord)
  return schema.columns.filter(
    column =>
      (column.traits.numeric || column.traits.moment || column.traits.year) &&
      !column.traits.key &&
      column.words.some(word => word.stems.some(stem => stems.includes(stem))),
  )
}

/** Stems of the schema that words of the question stand for, near synonyms left out. */
const questionStems = (link: LinkContext): ReadonlySet<string> =>
  new Set(
    link.matches.flatMap(match =>
      [...match.values()].filter(one => one.how !== 'related').map(one => one.stem),
    ),
  )

/** How well a column suits a question that does not name it: its table is named, words of its name stand in it. */
const columnFit = (
  asked: ReadonlySet<string>,
  lattice: Lattice,
  schema: SchemaIndex,
  known: readonly TableEntry[],
): ((column: ColumnEntry) => number) => {
  const support = schema.tables.map(table =>
    known.includes(table) ? 1 : (lattice.mentions[table.id]?.strength ?? 0),
  )
  for (const item of lattice.startingAt.flat()) {
    if (item.kind !== 'column' && item.kind !== 'value') continue
    const strong = item.features.some(
      ([name, value]) => value > 0 && (name === 'col.exact' || name === 'col.comment' || name === 'val.same'),
    )
    const { id } = item.column.table
    if (strong) support[id] = Math.max(support[id] ?? 0, INDIRECT_SUPPORT)
  }
  return column => {
    const words = column.words.filter(word => word.stems.some(stem => asked.has(stem))).length
    return (support[column.table.id] ?? 0) * 2 + words
  }
}
