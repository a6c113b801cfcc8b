import { z } from 'zod'

const fileSchema = z.array(
  z.strictObject({
    id: z.string().min(1),
    question: z.string().min(1),
    gold: z.string().min(1),
    alternatives: z.array(z.string()).default([]),
    unread: z.boolean().default(false),
  }),
)

/** A line of the questions file that `eval questions` reads, and whether its result stays unread. */
export interface BusinessLine {
  readonly id: string
  readonly db_id: string
  readonly question: string
  readonly gold: string
  readonly alternatives: readonly string[]
  readonly unread: boolean
}

/**
 * The questions of one file of fixtures/business. `{/100}` behind an amount stands for both euros and cents: each
 * statement with it becomes two.
 */
export const toQuestionLines = (team: string, file: unknown): readonly BusinessLine[] =>
  fileSchema.parse(file).map(({ id, question, gold, alternatives, unread }) => {
    const golds = [gold, ...alternatives].flatMap(sql =>
      sql.includes('{/100}') ? [sql.replaceAll('{/100}', ' / 100.0'), sql.replaceAll('{/100}', '')] : [sql],
    )
    return {
      id: `${team}/${id}`,
      db_id: 'sample-company',
      question,
      gold: golds[0]!,
      alternatives: golds.slice(1),
      unread,
    }
  })
