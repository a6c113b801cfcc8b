import { type FeatureFamily, familyOf } from '../../src/ranking/features/feature-reasons.ts'
import {
  defaultTraining,
  type SelectorTraining,
  type SelectorTrainingData,
  type TrainedSelector,
  trainSelector,
} from './fit-selector.ts'

/** Lessons without the questions of one database. */
export const withoutDatabase = (lessons: SelectorTrainingData, database: string): SelectorTrainingData => ({
  questions: lessons.questions.filter(question => question.database !== database),
  beginnings: lessons.beginnings.filter(question => question.database !== database),
  mixtures: lessons.mixtures.filter(question => question.database !== database),
  readings: lessons.readings.filter(question => question.database !== database),
})

/** Databases whose questions carry labelled candidates: those to leave out in turn. */
export const databasesOf = ({ questions }: SelectorTrainingData): readonly string[] =>
  [...new Set(questions.map(({ database }) => database))].sort()

/** One selector for each database, trained on all others. */
export const crossValidate = (
  lessons: SelectorTrainingData,
  { training = defaultTraining, onFold = () => {} }: CrossValidation = {},
): ReadonlyMap<string, TrainedSelector> =>
  new Map(
    databasesOf(lessons).map(database => {
      const trained = trainSelector(withoutDatabase(lessons, database), training)
      onFold(database)
      return [database, trained]
    }),
  )

/** How to go through the folds. */
interface CrossValidation {
  readonly training?: SelectorTraining
  readonly onFold?: (database: string) => void
}

/** The same lessons as if one family of features had never been measured. */
export const withoutFamily = (lessons: SelectorTrainingData, family: FeatureFamily): SelectorTrainingData => {
  const strip = (questions: SelectorTrainingData['questions']): SelectorTrainingData['questions'] =>
    questions.map(question => ({
      ...question,
      groups: question.groups.map(group => ({
        ...group,
        measures: Object.fromEntries(
          Object.entries(group.measures).filter(([name]) => familyOf(name) !== family),
        ),
      })),
    }))
  return {
    questions: strip(lessons.questions),
    beginnings: strip(lessons.beginnings),
    mixtures: strip(lessons.mixtures),
    readings: strip(lessons.readings),
  }
}
