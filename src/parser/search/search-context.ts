import type { FindValues, Understanding } from '../../domain/question-context.ts'
import type { Adjective } from '../../lib/lexicon/adjectives.ts'
import { stemWord } from '../../lib/stem-word.ts'
import { type Lattice, linkQuestion } from '../link/link-question.ts'
import type { LinkContext } from '../link/linked-span.ts'
import { matchTokens } from '../link/match-names.ts'
import type { Weights } from '../rank/model.ts'
import type { ColumnEntry, SchemaIndex, TableEntry } from '../schema/schema-index.ts'
import { type Token, tokenize } from '../tokenize.ts'
import type { SearchState } from './state.ts'

/** What the search needs: one linked question. */
export interface SearchContext {
  readonly tokens: readonly Token[]
  readonly lattice: Lattice
  readonly schema: SchemaIndex
  readonly weights: Weights
  /** Columns that an adjective measures ("older": age), and in which direction. Cached per question. */
  readonly columnsOf: (
    adjective: Adjective,
  ) => readonly { readonly column: ColumnEntry; readonly up: boolean }[]
  /** Columns with dates, best first for this question. */
  readonly momentColumns: readonly ColumnEntry[]
  /** Whether the question has a word of the column's name as it is: "shipped" for `shipped_at`. */
  readonly spoken: (column: ColumnEntry) => boolean
  readonly yearColumns: readonly ColumnEntry[]
  readonly contexts: AdjacentWords
}

/** The next states after a span: several, one or none. */
export type SearchStep<Item> = (
  context: SearchContext,
  state: SearchState,
  item: Item,
) => readonly SearchState[]

const YEAR_COLUMNS = 6

const ADJECTIVE_COLUMNS = 5

/** How much an exact column or value says for its table; naming the table itself is 1. */
const INDIRECT_SUPPORT = 0.6

/**
 * Links a question and finds the columns that it may mean without naming them. `known` are tables that it is about
 * because of an earlier question.
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

/** Columns with numbers or dates whose names have one of the words. */
const measuredBy = (schema: SchemaIndex, words: readonly string[]): readonly ColumnEntry[] => {
  const stems = words.map(stemWord)
  return schema.columns.filter(
    column =>
      (column.traits.numeric || column.traits.moment || column.traits.year) &&
      !column.traits.key &&
      column.words.some(word => word.stems.some(stem => stems.includes(stem))),
  )
}

/** Stems of the schema that words of the question stand for, without synonyms. */
const questionStems = (link: LinkContext): ReadonlySet<string> =>
  new Set(
    link.matches.flatMap(match =>
      [...match.values()].filter(one => one.how !== 'related').map(one => one.stem),
    ),
  )

/**
 * How well a column fits a question that does not name it: its table is named, or the question has words of its name.
 */
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

/**
 * For each position between tokens, the function word before it and after it, without articles; `other` for content
 * words.
 */
interface AdjacentWords {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

const articles = new Set(['the', 'a', 'an', 'all', 'any', 'some', 'their', 'his', 'her', 'its', 'each'])

const recognizedWords = new Set(
  `of for in on at from by with without to into and or that who which whose where when is are was were has have had do
  does did not than as per between across through , . ? ' 's ’s how what find show list give which`.split(
    /\s+/,
  ),
)

/** Finds the function words around every position of a question. */
const findAdjacentWords = (tokens: readonly Token[]): AdjacentWords => {
  const before: string[] = []
  const after: string[] = []
  for (let place = 0; place <= tokens.length; place++) {
    let at = place - 1
    while (at >= 0 && articles.has(tokens[at]?.folded ?? '')) at--
    before.push(at < 0 ? 'start' : nameOf(tokens[at]))
    const next = tokens[place]
    after.push(next === undefined ? 'end' : nameOf(next))
  }
  return { before, after }
}

const nameOf = (token: Token | undefined): string =>
  token === undefined
    ? 'start'
    : recognizedWords.has(token.folded)
      ? token.folded
      : token.kind === 'number' || token.kind === 'quoted'
        ? token.kind
        : 'other'
