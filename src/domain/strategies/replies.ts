import { z } from 'zod'

/** What every agent that writes a statement replies, after its reasoning. */
export const statementReply = {
  sql: z
    .string()
    .describe('The statement that answers the question. Empty only if the schema cannot answer it.'),
  missing: z
    .string()
    .default('')
    .describe(
      'If sql is empty: what the database lacks, in one sentence for the person who asked. Else empty.',
    ),
  assumptions: z
    .array(z.string())
    .default([])
    .describe('What was taken for granted where the question leaves room. Short, in plain words.'),
}
