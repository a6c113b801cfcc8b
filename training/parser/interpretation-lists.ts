import type { Catalog } from '../../src/domain/catalog.ts'
import type { Clock } from '../../src/domain/question-context.ts'
import { sameRows } from '../../src/evaluation/execution-accuracy.ts'
import { type DraftInterpretation, interpretQuestion } from '../../src/parser/interpret-question.ts'
import type { Features, Weights } from '../../src/parser/rank/model.ts'
import { understandQuestion } from '../../src/parser/understand/understand-question.ts'
import type { TrainingDatabase } from './companies.ts'
import type { FeatureNames } from './fit-weights.ts'

/** As many as the calibration looks at. */
const MOST_READINGS = 60

/** What collecting needs; `weights` steer the beam, and `onProgress` hears of each question that is done. */
export interface CollectOptions {
  readonly open: (id: string) => Promise<TrainingDatabase>
  readonly clock: Clock
  readonly weights: Weights
  readonly names: FeatureNames
  readonly onProgress: (done: number, total: number) => void
}

/** Lists in the order of their databases; catalogs of all databases that were opened; golds that did not run. */
export interface Collected {
  readonly lists: readonly ReadingList[]
  readonly catalogs: ReadonlyMap<string, Catalog>
  readonly failedGolds: readonly string[]
}

/**
 * Reads every question with the beam and labels the readings by running them: right are those with the rows of a
 * gold. A question with no gold that runs is left out, unless it has none at all: then no reading is right.
 */
export const collectLists = async (
  questions: readonly TrainingQuestion[],
  { open, clock, weights, names, onProgress }: CollectOptions,
): Promise<Collected> => {
  const lists: ReadingList[] = []
  const catalogs = new Map<string, Catalog>()
  const failedGolds: string[] = []
  let done = 0
  for (const [id, asked] of Map.groupBy(questions, ({ database }) => database)) {
    const database = await open(id)
    catalogs.set(id, database.catalog)
    try {
      for (const question of asked) {
        const understanding = understandQuestion(question.question, clock)
        const { schema, findValues, catalog } = database
        const drafts = interpretQuestion(understanding, schema, findValues, catalog.dialect, weights)
        const readings = await label(drafts.slice(0, MOST_READINGS), question.golds, database)
        if (readings) lists.push(packReadings(question, readings, names))
        else failedGolds.push(question.question)
        onProgress(++done, questions.length)
      }
    } finally {
      await database.close()
    }
  }
  return { lists, catalogs, failedGolds }
}

const label = async (
  drafts: readonly DraftInterpretation[],
  golds: readonly string[],
  database: TrainingDatabase,
) => {
  if (golds.length === 0) return drafts.map(({ features }) => ({ features, right: false }))
  const run = database.runner()
  const ran = await Promise.all(golds.map(run))
  const tables = ran.flatMap(gold => ('table' in gold ? [gold.table] : []))
  if (tables.length === 0) return null
  const labelled: { features: DraftInterpretation['features']; right: boolean }[] = []
  for (const { sql, features } of drafts) {
    const got = await run(sql)
    labelled.push({ features, right: 'table' in got && tables.some(table => sameRows(got.table, table)) })
  }
  return labelled
}

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

/** A question to learn from. `golds`: statements whose rows are right answers, none where nothing is right. */
export interface TrainingQuestion {
  readonly database: string
  readonly origin: Origin
  readonly question: string
  readonly golds: readonly string[]
}

/** At most `limit` questions, taken evenly from the whole list, so that many databases stay among them. */
export const takeEvenly = <Item>(items: readonly Item[], limit: number): Item[] =>
  limit >= items.length
    ? [...items]
    : Array.from({ length: limit }, (_, i) => items[Math.floor((i * items.length) / limit)]!)
