import type { ValueMatch } from '../../domain/question-context.ts'
import { oncePerObject } from '../../lib/once.ts'
import {
  type CatalogDescription,
  columnKey,
  type DescriptionWords,
  type LinkerColumn,
} from './catalog-description.ts'
import { matchWords } from './match-words.ts'
import { coverageOf, type QuestionMatch } from './table-features.ts'

/** Matches one question with one catalog: which of its words and values match which tables and columns. */
export const matchQuestion = (
  text: string,
  description: CatalogDescription,
  matches: readonly ValueMatch[],
): QuestionMatch => {
  const words = matchWords(text, description)
  const { tables, columns } = description
  const scope = { words, description }
  const cover = new Float64Array(columns.length)
  const ownCover = new Float64Array(columns.length)
  const looseCover = new Float64Array(columns.length)
  for (const { at, words: all, ownWords, said } of columnsWith(words.met, description)) {
    const described = coverageOfDescription(said, scope)
    cover[at] = Math.max(described, coverageOf(all, scope))
    ownCover[at] = all === ownWords ? cover[at]! : Math.max(described, coverageOf(ownWords, scope))
    for (const word of ownWords)
      if (words.exact[word] !== 1) looseCover[at] = Math.max(looseCover[at]!, words.loose[word]!)
  }
  const tableCover = Float64Array.from(tables, ({ words, said }) =>
    Math.max(coverageOf(words, scope), coverageOfDescription(said, scope)),
  )
  const tableExact = Float64Array.from(tables, table =>
    table.words.length > 0 && table.words.every(word => words.exact[word] === 1) ? 1 : 0,
  )
  return {
    ...scope,
    cover,
    ownCover,
    looseCover,
    tableCover,
    tableExact,
    ...valuesIn(description, matches),
    claim: claimsOf(scope),
  }
}

/** What a match of a whole synonym is worth, compared with the name itself. */
const synonymWeight = 0.9

/** The most that matches of a description's words are worth, compared with the name itself. */
const descriptionWeight = 0.8

/**
 * How well a question matches the description and synonyms of a column, as a share of what its name would be worth.
 * Set by hand: the questions that the weights were trained on have databases without descriptions.
 */
const coverageOfDescription = (
  { comment, synonyms }: DescriptionWords,
  scope: Pick<QuestionMatch, 'words' | 'description'>,
): number => {
  let best = 0
  for (const name of synonyms) best = Math.max(best, synonymWeight * coverageOf(name, scope))
  let met = 0
  for (const word of comment) met += scope.words.exact[word]!
  return Math.max(best, descriptionWeight * (1 - 0.5 ** met))
}

/** A keyword that only one column holds says more than one that ten hold. */
const valuesIn = (description: CatalogDescription, matches: readonly ValueMatch[]) => {
  const value = new Float64Array(description.columns.length)
  const valueShare = new Float64Array(description.columns.length)
  for (const [, found] of Map.groupBy(matches, match => match.keyword)) {
    const best = new Map<number, number>()
    for (const { table, column, score } of found) {
      const known = description.columnsByKey.get(columnKey(table, column))
      if (known) best.set(known.at, Math.max(best.get(known.at) ?? 0, score))
    }
    let all = 0
    for (const score of best.values()) all += score ** 6
    for (const [at, score] of best) {
      value[at] = Math.max(value[at]!, score)
      valueShare[at] = Math.max(valueShare[at]!, score ** 7 / all)
    }
  }
  return { value, valueShare }
}

/** An inverted index: the columns that have a word in the part of their name that is their own. */
const columnsOfWords = oncePerObject((description: CatalogDescription) =>
  indexWords(description, ({ ownWords }) => ownWords),
)

const claimsOf = ({ description, words }: Pick<QuestionMatch, 'description' | 'words'>): Float64Array => {
  const claim = new Float64Array(description.columns.length)
  const index = columnsOfWords(description)
  for (const { hits } of words.tokens) {
    const strengths = new Map<number, number>()
    for (const [word, strength] of hits)
      for (const at of index[word]!) strengths.set(at, Math.max(strengths.get(at) ?? 0, strength))
    let all = 0
    for (const strength of strengths.values()) all += strength ** 3
    for (const [at, strength] of strengths) claim[at] = Math.max(claim[at]!, strength ** 4 / all)
  }
  return claim
}

/**
 * All columns that have one of the words in their names or descriptions, each once. Most columns of a wide schema
 * have none.
 */
const columnsWith = (words: readonly number[], description: CatalogDescription): Iterable<LinkerColumn> => {
  const index = columnsOfAllWords(description)
  return new Set(words.flatMap(word => index[word]!.map(at => description.columns[at]!)))
}

const columnsOfAllWords = oncePerObject((description: CatalogDescription) =>
  indexWords(description, ({ words, said }) => [...words, ...said.comment, ...said.synonyms.flat()]),
)

const indexWords = (
  { vocabulary, columns }: CatalogDescription,
  wordsOf: (column: LinkerColumn) => readonly number[],
): readonly (readonly number[])[] => {
  const index: number[][] = vocabulary.map(() => [])
  for (const column of columns) for (const word of wordsOf(column)) index[word]!.push(column.at)
  return index
}
