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

/** What the search reads: one linked question. */
export interface SearchContext {
  readonly tokens: readonly Token[]
  readonly lattice: Lattice
  readonly schema: SchemaIndex
  readonly weights: Weights
  /** Columns that an adjective measures ("older": age), with the way it points. Remembered per question. */
  readonly columnsOf: (
    adjective: Adjective,
  ) => readonly { readonly column: ColumnEntry; readonly up: boolean }[]
  /** Columns that can hold a moment, best first for this question. */
  readonly momentColumns: readonly ColumnEntry[]
  /** Whether a word of the column's name stands in the question as it is: "shipped" for `shipped_at`. */
  readonly spoken: (column: ColumnEntry) => boolean
  readonly yearColumns: readonly ColumnEntry[]
  readonly contexts: AdjacentWords
}

/** One way to go on from a state by an item; several, one or none. */
export type SearchStep<Item> = (
  context: SearchContext,
  state: SearchState,
  item: Item,
) => readonly SearchState[]

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

/** For each place between tokens the function word before it and after it, articles left out; `other` for content. */
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

/** Reads the little words around every place of a question. */
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
