import type { Features } from '../../src/parser/rank/model.ts'
import type { FeatureNames } from './feature-names.ts'

/** Where a list comes from: a questions file, our invented companies, or a question made unanswerable. */
export type Origin = 'file' | 'company' | 'unanswerable'

/** The readings of one question in compressed rows: what training and calibration need of them. */
export interface ReadingList {
  readonly database: string
  readonly origin: Origin
  /** One a reading: 1 where its rows are the gold's. */
  readonly right: Uint8Array
  /** Features of reading i are `ids` and `values` from `starts[i]` to `starts[i + 1]`; no id twice. */
  readonly starts: Int32Array
  readonly ids: Int32Array
  readonly values: Float64Array
}

/** One reading with its label. */
export interface LabelledReading {
  readonly features: Features
  readonly right: boolean
}

/** Packs labelled readings; values of a feature that occurs more than once are added up. */
export const packReadings = (
  { database, origin }: Pick<ReadingList, 'database' | 'origin'>,
  readings: readonly LabelledReading[],
  names: FeatureNames,
): ReadingList => {
  const starts = [0]
  const ids: number[] = []
  const values: number[] = []
  for (const { features } of readings) {
    const sums = new Map<string, number>()
    for (const [name, value] of features) if (value !== 0) sums.set(name, (sums.get(name) ?? 0) + value)
    for (const [name, value] of sums) {
      ids.push(names.numberOf(name))
      values.push(value)
    }
    starts.push(ids.length)
  }
  return {
    database,
    origin,
    right: Uint8Array.from(readings, reading => Number(reading.right)),
    starts: Int32Array.from(starts),
    ids: Int32Array.from(ids),
    values: Float64Array.from(values),
  }
}

/** Scores of the readings under weights by number; a feature past the end of `weights` counts nothing. */
export const scoreReadings = (list: ReadingList, weights: Float64Array): Float64Array =>
  new Float64Array(list.right.length).map((_, reading) => {
    let score = 0
    for (let at = list.starts[reading]!; at < list.starts[reading + 1]!; at++)
      score += (weights[list.ids[at]!] ?? 0) * list.values[at]!
    return score
  })

/** Features of one reading by name. */
export const featuresOf = (list: ReadingList, reading: number, names: FeatureNames): Features => {
  const features: [string, number][] = []
  for (let at = list.starts[reading]!; at < list.starts[reading + 1]!; at++)
    features.push([names.all[list.ids[at]!]!, list.values[at]!])
  return features
}
