import { z } from 'zod'

const emptyAsUndefined = z
  .string()
  .nullish()
  .transform(text => text ?? '')

/** What BIRD and Spider call what we call otherwise; our own names win. */
const normalizeKeys = (line: unknown): unknown => {
  if (typeof line !== 'object' || line === null) return line
  const { question_id: id, SQL, query, hardness, ...rest } = line as Readonly<Record<string, unknown>>
  const own = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  return {
    ...(id === undefined ? {} : { id }),
    ...(SQL === undefined && query === undefined ? {} : { gold: SQL ?? query }),
    ...(hardness === undefined ? {} : { difficulty: hardness }),
    ...own,
  }
}

/**
 * One line of a questions file. `id`, `db_id`, `question` and `gold` are needed; `gold` only where the question is
 * answerable. `alternatives` are other right statements. A line with `excluded` (the reason) is skipped.
 */
const normalizedLine = z
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
    evidence: emptyAsUndefined,
    knowledge: emptyAsUndefined,
    kind: emptyAsUndefined,
    /** In whose words it is, is the file's affair; null where it is to be read off the gold. */
    difficulty: z
      .string()
      .nullish()
      .transform(text => text || null),
  })
  .refine(line => line.gold !== null || !line.answerable || line.excluded !== null, {
    path: ['gold'],
    message: 'needed, unless the line has "answerable": false',
  })

/** Reads a line, also one of BIRD's or Spider's own. */
export const questionLineSchema = z.preprocess(normalizeKeys, normalizedLine)

/** One line of a questions file, with what was left out filled in. */
export type QuestionLine = z.output<typeof normalizedLine>
