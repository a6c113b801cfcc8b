import type { ParseQuestion } from '../domain/interpretation.ts'
import { limitConfidence, listAssumptions, listDecisions, listUnusedWords } from './explain.ts'
import { interpretQuestion } from './interpret-question.ts'
import { calibrateConfidences, type ParserModel } from './rank/model.ts'
import { indexSchema } from './schema/index-schema.ts'

const DEFAULT_LIMIT = 10

/**
 * Makes the parser from a trained model. It turns a question and a catalog into SQL interpretations, best first. It
 * is pure and deterministic, and caches only an index per catalog.
 */
export const makeParseQuestion =
  (model: ParserModel): ParseQuestion =>
  ({ understanding, catalog, findValues }, options) => {
    const schema = indexSchema(catalog)
    const drafts = interpretQuestion(understanding, schema, findValues, catalog.dialect, model.weights)
    const sure = calibrateConfidences(drafts, model.calibration)
    return drafts.slice(0, options?.limit ?? DEFAULT_LIMIT).map((draft, index) => ({
      sql: draft.sql,
      score: draft.score,
      confidence: limitConfidence(draft, sure[index] ?? 0),
      decisions: listDecisions(draft, drafts),
      assumptions: listAssumptions(draft, understanding),
      unused: listUnusedWords(draft),
    }))
  }
