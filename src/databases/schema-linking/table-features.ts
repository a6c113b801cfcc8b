import type { CatalogDescription, LinkerTable } from './catalog-description.ts'
import type { WordMatches } from './match-words.ts'

/** What the features of tables and columns are made from: one question against one catalog. */
export interface QuestionMatch {
  readonly description: CatalogDescription
  readonly words: WordMatches
  /**
   * By column: how well the question matches the words of its name, from 0 to 1. `own` leaves out the words of its
   * table.
   */
  readonly cover: Float64Array
  readonly ownCover: Float64Array
  readonly looseCover: Float64Array
  /** By table: the same for its name. */
  readonly tableCover: Float64Array
  readonly tableExact: Float64Array
  /** By column: the best value found in it, from 0 to 1, and its share among the columns with an equally good value. */
  readonly value: Float64Array
  readonly valueShare: Float64Array
  /** By column: its largest share of the columns that match one word of the question. */
  readonly claim: Float64Array
}

export const tableFeatureNames = [
  'bias',
  'cover',
  'exact',
  'phrase',
  'bestColumn',
  'secondColumn',
  'bestOwn',
  'value',
  'valueShare',
  'coverage',
  'claims',
  'claimedByName',
  'neighbourCover',
  'secondNeighbourCover',
  'bridges',
  'keysOnly',
  'degree',
  'columns',
  'tables',
  'onlyTable',
  'leadsToNamed',
  'isLedToByNamed',
  'exactAlone',
  'nameShare',
] as const

/** Features of every table, row by row, in the order of `tableFeatureNames`. */
export const tableFeatures = (seen: QuestionMatch): Float64Array => {
  const { description, words, cover, ownCover, tableCover, tableExact, value, valueShare } = seen
  const { tables, vocabulary } = description
  const width = tableFeatureNames.length
  const rows = new Float64Array(tables.length * width)
  const { coverage, claims, claimedByName } = coverTokens(seen)
  const exactTables = tableExact.reduce((sum, one) => sum + one, 0)
  for (const table of tables) {
    const { at } = table
    const [best, second] = topTwo(table.columns, cover)
    const [bestOwn] = topTwo(table.columns, ownCover)
    const [near, secondNear] = topTwo(table.neighbours, tableCover)
    const keys = countKeys(table)
    let best_value = 0
    let best_share = 0
    for (const column of table.columns) {
      best_value = Math.max(best_value, value[column.at]!)
      best_share = Math.max(best_share, valueShare[column.at]!)
    }
    rows.set(
      [
        1,
        tableCover[at]!,
        tableExact[at]!,
        tableExact[at] === 1 && table.words.length > 1 && hasPhrase(table.words, vocabulary, words) ? 1 : 0,
        best,
        second,
        bestOwn,
        best_value,
        best_share,
        coverage[at]!,
        claims[at]!,
        claimedByName[at]!,
        near,
        secondNear,
        keys > 1 ? near * secondNear : 0,
        keys >= table.columns.length - 1 && keys > 1 ? 1 : 0,
        Math.log1p(table.neighbours.size),
        Math.log(table.columns.length + 1),
        Math.log(tables.length),
        tables.length === 1 ? 1 : 0,
        namedBeyond(table, 'leadsTo', tableExact),
        namedBeyond(table, 'ledToBy', tableExact),
        exactTables === tableExact[at]! ? tableExact[at]! : 0,
        tableCover[at]! / Math.max(1, exactTables),
      ],
      at * width,
    )
  }
  return rows
}

/** How well the question matches some words: 1 if it has all of them. */
export const coverageOf = (
  own: readonly number[],
  { words, description }: Pick<QuestionMatch, 'words' | 'description'>,
): number => {
  let met = 0
  let all = 0
  for (const word of own) {
    const weight = description.rarity[word]!
    all += weight
    met += weight * Math.max(words.exact[word]!, words.loose[word]!)
  }
  return all === 0 ? 0 : met / all
}

/** Whether the question has these words one after the other. */
export const hasPhrase = (
  own: readonly number[],
  vocabulary: readonly string[],
  words: WordMatches,
): boolean => words.phrase.includes(` ${own.map(word => vocabulary[word]).join(' ')} `)

/**
 * The share of the question's words that each table accounts for by its name or its columns, alone or together with
 * others.
 */
const coverTokens = ({ description, words }: QuestionMatch) => {
  const { tables } = description
  const coverage = new Float64Array(tables.length)
  const claims = new Float64Array(tables.length)
  const claimedByName = new Float64Array(tables.length)
  const { inColumns, inTables } = tablesOfWords(description)
  let tokens = 0
  for (const { hits } of words.tokens) {
    const strengths = new Map<number, number>()
    const named = new Map<number, number>()
    for (const [word, strength] of hits) {
      for (const at of inColumns[word]!) strengths.set(at, Math.max(strengths.get(at) ?? 0, strength))
      for (const at of inTables[word]!) {
        strengths.set(at, Math.max(strengths.get(at) ?? 0, strength))
        named.set(at, Math.max(named.get(at) ?? 0, strength))
      }
    }
    if (strengths.size > 0) tokens += 1
    let all = 0
    for (const strength of strengths.values()) all += strength ** 3
    for (const [at, strength] of strengths) {
      coverage[at]! += strength
      claims[at]! += strength ** 4 / all
    }
    let allNamed = 0
    for (const strength of named.values()) allNamed += strength ** 3
    for (const [at, strength] of named) claimedByName[at]! += strength ** 4 / allNamed
  }
  for (const { at } of tables) coverage[at]! /= Math.max(1, tokens)
  return { coverage, claims, claimedByName }
}

interface TablesOfWords {
  readonly inColumns: readonly (readonly number[])[]
  readonly inTables: readonly (readonly number[])[]
}

const remembered = new WeakMap<CatalogDescription, TablesOfWords>()

const tablesOfWords = (description: CatalogDescription): TablesOfWords => {
  const known = remembered.get(description)
  if (known !== undefined) return known
  const inColumns = description.vocabulary.map(() => new Set<number>())
  const inTables = description.vocabulary.map(() => new Set<number>())
  for (const { table, words } of description.columns) for (const word of words) inColumns[word]!.add(table.at)
  for (const { at, words } of description.tables) for (const word of words) inTables[word]!.add(at)
  const made = { inColumns: inColumns.map(set => [...set]), inTables: inTables.map(set => [...set]) }
  remembered.set(description, made)
  return made
}

/** Whether the question names a table at the other end of its keys, 0 or 1. */
const namedBeyond = (
  { columns }: LinkerTable,
  end: 'leadsTo' | 'ledToBy',
  tableExact: Float64Array,
): number => {
  for (const column of columns)
    for (const other of column[end]) if (tableExact[other.table.at] === 1) return 1
  return 0
}

const countKeys = ({ columns }: LinkerTable): number => {
  let count = 0
  for (const { leadsTo } of columns) if (leadsTo.length > 0) count += 1
  return count
}

const topTwo = (
  things: Iterable<{ readonly at: number }>,
  scores: Float64Array,
): readonly [number, number] => {
  let best = 0
  let second = 0
  for (const { at } of things) {
    const score = scores[at]!
    if (score > best) {
      second = best
      best = score
    } else if (score > second) second = score
  }
  return [best, second]
}

/** What the neighbors of a table say for it, given the probability of each by itself (0 to 1). */
export const neighbourFeatureNames = [
  'own',
  'near',
  'secondNear',
  'between',
  'unlikelyBetween',
  'rank',
] as const

/** Features of the second pass over every table, row by row. `own` holds the log-odds of the first pass. */
export const neighbourFeatures = (tables: readonly LinkerTable[], odds: Float64Array): Float64Array => {
  const width = neighbourFeatureNames.length
  const rows = new Float64Array(tables.length * width)
  const likely = odds.map(one => 1 / (1 + Math.exp(-one)))
  const top = likely.reduce((most, one) => Math.max(most, one), 0)
  for (const table of tables) {
    const [near, between] = topTwo(table.neighbours, likely)
    rows.set(
      [odds[table.at]!, near, between, between, between * (1 - likely[table.at]!), likely[table.at]! - top],
      table.at * width,
    )
  }
  return rows
}
