import type { ParseQuestion } from '../core/reading.ts'
import { assumptionsOf } from './explain/assumptions.ts'
import { decisionsOf } from './explain/decisions.ts'
import { unusedWords } from './explain/unused-words.ts'
import { confidences } from './rank/confidences.ts'
import type { Model } from './rank/model.ts'
import { readQuestion } from './read-question.ts'
import { indexSchema } from './schema/index-schema.ts'

const USUAL_LIMIT = 10

/**
 * Makes the parser from a trained model. The parser reads a question against a catalog and returns SQL readings, best
 * first; it is pure and deterministic, and keeps nothing but an index of catalogs that it has seen.
 */
export const makeParseQuestion =
  (model: Model): ParseQuestion =>
  ({ understanding, catalog, findValues }, options) => {
    const schema = indexSchema(catalog)
    const drafts = readQuestion(understanding, schema, findValues, catalog.dialect, model.weights)
    const sure = confidences(drafts, model.calibration)
    return drafts.slice(0, options?.limit ?? USUAL_LIMIT).map((draft, index) => ({
      sql: draft.sql,
      score: draft.score,
      confidence: sure[index] ?? 0,
      decisions: decisionsOf(draft, drafts),
      assumptions: assumptionsOf(draft, understanding),
      unused: unusedWords(draft),
    }))
  }
