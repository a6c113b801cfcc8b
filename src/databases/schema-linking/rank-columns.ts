import trained from '../../../weights/schema-linking.json' with { type: 'json' }
import type { ValueMatch } from '../../domain/question-context.ts'
import { foldText } from '../../lib/fold-text.ts'
import type { CatalogDescription, LinkerColumn } from './catalog-description.ts'
import { columnFeatureNames, makeColumnFeatures } from './column-features.ts'
import { matchQuestion } from './match-question.ts'
import { readQuestionCues } from './match-words.ts'
import {
  neighbourFeatureNames,
  neighbourFeatures,
  tableFeatureNames,
  tableFeatures,
} from './table-features.ts'

/** Weights of three logistic regressions, by name of the feature: two passes over tables, one over columns. */
export interface RankerWeights {
  readonly table: Readonly<Record<string, number>>
  readonly neighbour: Readonly<Record<string, number>>
  readonly column: Readonly<Record<string, number>>
}

/** The probability that the right statement reads each table and column, from 0 to 1. */
export interface ColumnRanking {
  readonly tables: Float64Array
  readonly columns: Float64Array
}

/** Ranks the tables and columns of a catalog for one question. Pure; a few milliseconds for 20,000 columns. */
export const makeRankColumns = (ranker: RankerWeights) => {
  const table = Float64Array.from(tableFeatureNames, name => ranker.table[name] ?? 0)
  const neighbour = neighbourWeights(ranker)
  const column = Float64Array.from(columnFeatureNames, name => ranker.column[name] ?? 0)
  const bias = ranker.column.bias ?? 0

  return (
    text: string,
    description: CatalogDescription,
    matches: readonly ValueMatch[],
    /** Added to each column's log-odds. */
    more?: Float64Array,
  ): ColumnRanking => {
    const seen = matchQuestion(text, description, matches)
    const odds = rerankTables(description, dotProduct(tableFeatures(seen), table), neighbour)
    const likely = odds.map(sigmoid)
    const write = makeColumnFeatures(seen, readQuestionCues(foldText(text)), likely, odds)
    const row = new Float64Array(column.length)
    const columns = new Float64Array(description.columns.length)
    for (const known of candidateColumns(description, likely, more)) {
      write(known, row)
      let sum = bias + (more?.[known.at] ?? 0)
      for (let i = 0; i < row.length; i++) sum += row[i]! * column[i]!
      columns[known.at] = sigmoid(sum)
    }
    return { tables: likely, columns }
  }
}

/** Only the columns of this many tables are ranked: no question joins so many, and a wide schema has a thousand. */
const maxRankedTables = 48

/** The columns of the likeliest tables, and those that stand out by values or embeddings. */
const candidateColumns = (
  { tables, columns }: CatalogDescription,
  likely: Float64Array,
  more: Float64Array | undefined,
): readonly LinkerColumn[] => {
  if (tables.length <= maxRankedTables) return columns
  const looked = [...tables].sort((a, b) => likely[b.at]! - likely[a.at]!).slice(0, maxRankedTables)
  const found = looked.flatMap(table => table.columns)
  if (!more) return found
  const inside = new Set(looked)
  return [...found, ...columns.filter(({ at, table }) => more[at]! > 0 && !inside.has(table))]
}

/** The weights of the second pass, its bias first. */
export const neighbourWeights = ({ neighbour }: Pick<RankerWeights, 'neighbour'>): Float64Array =>
  Float64Array.from(['bias', ...neighbourFeatureNames], name => neighbour[name] ?? 0)

/** Log-odds of tables after the second pass, which looks at their neighbors. */
export const rerankTables = (
  { tables }: Pick<CatalogDescription, 'tables'>,
  odds: Float64Array,
  weights: Float64Array,
): Float64Array =>
  dotProduct(neighbourFeatures(tables, odds), weights.subarray(1)).map(one => one + weights[0]!)

/** Multiplies rows, stored one after the other, by weights. */
export const dotProduct = (rows: Float64Array, weights: Float64Array): Float64Array => {
  const width = weights.length
  return Float64Array.from({ length: rows.length / width }, (_, at) => {
    let sum = 0
    for (let i = 0; i < width; i++) sum += rows[at * width + i]! * weights[i]!
    return sum
  })
}

export const sigmoid = (odds: number): number => 1 / (1 + Math.exp(-odds))

/** The weights that ship. Their file says what they were trained on and how well they did. */
export const trainedRankerWeights: RankerWeights = trained.weights
