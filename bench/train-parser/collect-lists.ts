import type { Catalog } from '../../src/domain/catalog.ts'
import type { Clock } from '../../src/domain/question-context.ts'
import { sameRows } from '../../src/evaluation/execution-accuracy.ts'
import { type DraftInterpretation, interpretQuestion } from '../../src/parser/interpret-question.ts'
import type { Weights } from '../../src/parser/rank/model.ts'
import { understandQuestion } from '../../src/parser/understand/understand-question.ts'
import type { FeatureNames } from './feature-names.ts'
import type { TrainingDatabase } from './open-training-databases.ts'
import { packReadings, type ReadingList } from './reading-list.ts'
import type { TrainingQuestion } from './training-question.ts'

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
