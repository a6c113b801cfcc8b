import type { LinkingQuestion } from '../../bench/linking/linking-questions.ts'
import { describeCatalog } from '../../src/databases/schema-linking/catalog-description.ts'
import { columnFeatureNames, makeColumnFeatures } from '../../src/databases/schema-linking/column-features.ts'
import { matchQuestion } from '../../src/databases/schema-linking/match-question.ts'
import { readQuestionCues } from '../../src/databases/schema-linking/match-words.ts'
import {
  dotProduct,
  neighbourWeights,
  type RankerWeights,
  rerankTables,
  sigmoid,
} from '../../src/databases/schema-linking/rank-columns.ts'
import {
  neighbourFeatureNames,
  neighbourFeatures,
  tableFeatureNames,
  tableFeatures,
} from '../../src/databases/schema-linking/table-features.ts'
import { foldText } from '../../src/lib/fold-text.ts'
import { minimize } from '../../src/ranking/learning/fit.ts'

/** How hard weights are held at zero. */
const PULL = 3

/** Learns the three regressions one after the other. Deterministic: the same questions give the same weights. */
export const fitRanker = (questions: readonly LinkingQuestion[]): RankerWeights => {
  const seen = questions.map(({ question, catalog, matches }) =>
    matchQuestion(question, describeCatalog(catalog), matches),
  )

  const tables = makeExamples()
  const width = tableFeatureNames.length
  const rows = seen.map(tableFeatures)
  for (const [i, { gold }] of questions.entries())
    for (const { at, table } of seen[i]!.description.tables)
      tables.add(rows[i]!.subarray(at * width, (at + 1) * width), gold.tables.has(table))
  const first = tables.fit(width, PULL)
  const odds = rows.map(row => dotProduct(row, first))

  const seconds = makeExamples()
  const size = neighbourFeatureNames.length
  for (const [i, { gold }] of questions.entries()) {
    const { description } = seen[i]!
    const looked = neighbourFeatures(description.tables, odds[i]!)
    for (const { at, table } of description.tables)
      seconds.add(Float64Array.of(1, ...looked.subarray(at * size, (at + 1) * size)), gold.tables.has(table))
  }
  const neighbour = named(['bias', ...neighbourFeatureNames], seconds.fit(size + 1, PULL))

  const columns = makeExamples()
  const row = new Float64Array(columnFeatureNames.length + 1)
  row[0] = 1
  for (const [i, { gold, question }] of questions.entries()) {
    const { description } = seen[i]!
    const after = rerankTables(description, odds[i]!, neighbourWeights({ neighbour }))
    const write = makeColumnFeatures(
      seen[i]!,
      readQuestionCues(foldText(question)),
      after.map(sigmoid),
      after,
    )
    for (const known of description.columns) {
      write(known, row.subarray(1))
      columns.add(row, gold.columns.has(known.column))
    }
  }
  return {
    table: named(tableFeatureNames, first),
    neighbour,
    column: named(['bias', ...columnFeatureNames], columns.fit(row.length, PULL)),
  }
}

const named = (names: readonly string[], weights: Float64Array): Record<string, number> =>
  Object.fromEntries(names.map((name, i) => [name, Number(weights[i]!.toPrecision(6))]))

/** Examples with few features each, one behind the other. */
export interface Examples {
  readonly add: (features: Float64Array, isRight: boolean, counts?: number) => void
  readonly size: () => number
  readonly fit: (width: number, pull: number) => Float64Array
}

/** Collects examples for a logistic regression with an L2 pull towards zero. */
export const makeExamples = (): Examples => {
  const rows: {
    readonly ids: Uint16Array
    readonly values: Float32Array
    readonly right: boolean
    readonly counts: number
  }[] = []
  return {
    add: (features, right, counts = 1) => {
      const ids: number[] = []
      for (let i = 0; i < features.length; i++) if (features[i] !== 0) ids.push(i)
      rows.push({
        ids: Uint16Array.from(ids),
        values: Float32Array.from(ids, id => features[id]!),
        right,
        counts,
      })
    },
    size: () => rows.length,
    fit: (width, pull) =>
      minimize(
        (weights, gradient) => {
          let price = 0
          for (let i = 0; i < width; i++) {
            gradient[i] = pull * weights[i]!
            price += (pull / 2) * weights[i]! * weights[i]!
          }
          for (const { ids, values, right, counts } of rows) {
            let odds = 0
            for (let k = 0; k < ids.length; k++) odds += values[k]! * weights[ids[k]!]!
            const p = 1 / (1 + Math.exp(-odds))
            const push = counts * (p - (right ? 1 : 0))
            const miss = right ? -odds : odds
            price += counts * (miss > 30 ? miss : Math.log1p(Math.exp(miss)))
            for (let k = 0; k < ids.length; k++) gradient[ids[k]!]! += push * values[k]!
          }
          return price
        },
        new Float64Array(width),
        1e-2,
      ),
  }
}
