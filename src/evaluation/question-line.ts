import { z } from 'zod'

const orEmpty = z
  .string()
  .nullish()
  .transform(text => text ?? '')

/**
 * One line of a questions file. `id`, `db_id`, `question` and `gold` are needed; `gold` only where the question is
 * answerable. `alternatives` are other right statements. A line with `excluded` (the reason) is skipped.
 */
export const questionLineSchema = z
  .object({
    id: z.union([z.string().min(1), z.number().transform(String)]),
    db_id: z.string().min(1),
    question: z.string().min(1),
    gold: z
      .string()
      .min(1)
      .nullish()
      .transform(text => text ?? null),
    dialect: z
      .string()
      .nullish()
      .transform(text => text ?? null),
    excluded: z
      .union([z.string(), z.boolean()])
      .nullish()
      .transform(reason => (reason === true ? 'excluded' : reason || null)),
    alternatives: z
      .array(z.string())
      .nullish()
      .transform(golds => golds ?? []),
    answerable: z
      .boolean()
      .nullish()
      .transform(answerable => answerable ?? true),
    evidence: orEmpty,
    knowledge: orEmpty,
    kind: orEmpty,
  })
  .refine(line => line.gold !== null || !line.answerable || line.excluded !== null, {
    path: ['gold'],
    message: 'needed, unless the line has "answerable": false',
  })

/** One line of a questions file, with what was left out filled in. */
export type QuestionLine = z.output<typeof questionLineSchema>
