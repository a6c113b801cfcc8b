import type { EvaluatedQuestion } from '../../src/evaluation/out-file.ts'

/** A result with what matters to a test; the rest is of a right, unhurried answer. */
export const makeEvaluated = (fields: Partial<EvaluatedQuestion> = {}): EvaluatedQuestion => ({
  id: 'a',
  sql: 'select 1',
  ex: true,
  oracle: true,
  outcome: 'answered',
  confidence: 0.9,
  milliseconds: 10,
  db_id: 'shop',
  answerable: true,
  exAnyOrder: true,
  softF1: 1,
  difficulty: null,
  rves: null,
  money: 0,
  modelCalls: 0,
  promptTokens: 0,
  completionTokens: 0,
  error: null,
  goldError: null,
  ...fields,
})
