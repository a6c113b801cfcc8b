import { makeLinkSchema } from '../../src/databases/schema-linking/link-schema.ts'
import type { LinkSchema } from '../../src/domain/question-context.ts'
import { fitRanker } from '../../training/schema-linking/fit-column-ranker.ts'
import type { LinkingQuestion } from './linking-questions.ts'

/** Linkers that have never seen the database of the question they are given: one a fold of databases. */
export const crossFit = (
  questions: readonly LinkingQuestion[],
  folds: number,
): ((question: LinkingQuestion) => LinkSchema) => {
  const databases = [...new Set(questions.map(({ database }) => database))].sort()
  const foldOf = new Map(databases.map((database, at) => [database, at % folds]))
  const linkers = Array.from({ length: folds }, (_, fold) => {
    const others = questions.filter(({ database }) => foldOf.get(database) !== fold)
    return makeLinkSchema({ ranker: fitRanker(others) })
  })
  return ({ database }) => linkers[foldOf.get(database) ?? 0]!
}
