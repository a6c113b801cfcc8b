import { z } from 'zod'

/**
 * What one question scored: a line of `eval questions --out`. Scores are null for a question that cannot be
 * answered. `oracle`: one of the first candidates is right. `sql`: the answer's; null without an answer.
 */
export const evaluatedQuestionSchema = z.object({
  id: z.string(),
  sql: z.string().nullable(),
  ex: z.boolean().nullable(),
  oracle: z.boolean().nullable(),
  outcome: z.enum(['answered', 'clarified', 'refused', 'failed']),
  confidence: z.number().nullable(),
  /** Time of asking alone; indexing the database and scoring are not in it. */
  milliseconds: z.number(),
  db_id: z.string(),
  answerable: z.boolean(),
  exAnyOrder: z.boolean().nullable(),
  softF1: z.number().nullable(),
  /** The line's own, else as Spider grades the gold; null where neither is to be had, as in older files. */
  difficulty: z.string().nullable().default(null),
  /** Reward for speed, squared root taken (R-VES); null where it was not measured. */
  rves: z.number().nullable().default(null),
  modelCalls: z.number(),
  promptTokens: z.number(),
  completionTokens: z.number(),
  /** Why the answer could not be run, or why the gold could not (then nothing could have been right). */
  error: z.string().nullable(),
  goldError: z.string().nullable(),
})

/** One question, asked and scored. */
export type EvaluatedQuestion = z.output<typeof evaluatedQuestionSchema>
