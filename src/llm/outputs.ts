import { z } from 'zod'
import { agentReplies } from '../domain/strategies/strategy.ts'
import type { ReplyFormat } from './call-model.ts'

/**
 * How every prompt that asks for SQL ends: in a statement, in what is missing, or in the meanings of an ambiguous
 * question. Only `sql` and `assumptions` have to be there: weak models leave the rest out, and so do replies that were
 * recorded before there was more.
 */
const statement = {
  outcome: z
    .enum(['sql', 'cannot-answer', 'ambiguous'])
    .nullable()
    .catch(null)
    .describe('Whether there is one statement, none, or one for each of several meanings.'),
  sql: z.string().describe('The final statement; that of the first meaning if ambiguous. Else empty.'),
  assumptions: z
    .array(z.string())
    .describe('What was taken for granted where the question leaves room. Short, in plain words.'),
  missing: z.string().catch('').describe('If the schema cannot answer: what is missing, in one sentence.'),
  unclear: z.string().catch('').describe('If ambiguous: the unclear words, letter by letter.'),
  meanings: z
    .array(
      z.object({
        label: z.string().describe('A short noun phrase that the asker could have typed.'),
        sql: z.string().describe('The statement of this meaning.'),
      }),
    )
    .catch([])
    .describe('If ambiguous: two to four meanings, the likeliest first.'),
}

const example = z.object({
  question: z.string().describe('A question as a person would ask it.'),
  sql: z.string().describe('The statement that answers it.'),
})

const operator = z.enum(['=', '<>', '<', '<=', '>', '>='])

/** A list that a model may leave out. */
const optionalList = <Item extends z.ZodType>(item: Item) => z.array(item).default([])

/** With an id, a schema has it once and refers to it. */
const metricTest = z
  .object({
    at: z.string(),
    is: z.enum([...operator.options, 'contains', 'starts', 'ends', 'missing', 'present', 'in', 'not in']),
    values: optionalList(z.union([z.string(), z.number(), z.boolean()])),
  })
  .meta({ id: 'test' })

const metricFigure = z.object({ figure: z.string(), where: optionalList(metricTest) })

const metricComparison = z.object({ figure: z.string(), is: operator, value: z.number() })

const dayBounds = z.object({ from: z.string().nullable(), until: z.string().nullable() })

/**
 * The reply of each kind of prompt, by the name in its front matter. Reasoning comes before the statement, because a
 * model writes the fields in order and reasons while it writes.
 */
export const outputs = {
  /** CHASE-SQL 3.3, Algorithm 1: parts, their SQL, the assembled statement, the statement without what is redundant. */
  'divide-and-conquer': z.object({
    parts: z
      .array(
        z.object({
          question: z.string().describe('One sub-question, answerable by itself.'),
          pseudoSql: z.string().describe('Its SQL with plain words where another part will be put in.'),
          sql: z.string().describe('Its SQL with real tables, columns and values.'),
        }),
      )
      .describe('The question cut into parts, the inner ones first.'),
    assembled: z.string().describe('The parts put together into one statement.'),
    redundant: z
      .array(z.string())
      .describe('What of the assembled statement changes nothing and is dropped.'),
    ...statement,
  }),
  /** CHASE-SQL 3.3, query plan: the steps of an engine in order, then the statement. */
  'query-plan': z.object({
    locate: z
      .array(
        z.object({
          table: z.string().describe('A table that is read, as the schema spells it.'),
          purpose: z.string().describe('What the question needs of it: columns read, rows looked for.'),
        }),
      )
      .describe('First step: the tables, in the order in which they are opened.'),
    operate: z
      .array(z.string())
      .describe('Second step: each filter, match between tables, count, grouping and sort, in order.'),
    deliver: z
      .array(z.string())
      .describe('Third step: the columns of the result, in the order of the question.'),
    ...statement,
  }),
  /** A statement after a short reasoning, for prompts with examples (CHASE-SQL 3.3, Algorithm 2). */
  'drafted-sql': z.object({
    thought: z
      .string()
      .describe('Which tables, joins and conditions the question needs, in a few sentences.'),
    ...statement,
  }),
  /** CHASE-SQL 3.3, Algorithm 2: invented questions about one database, with their SQL. */
  examples: z.object({
    features: z.array(example).describe('Examples of common clauses, over the whole schema.'),
    focused: z.array(example).describe('Examples that read the columns of the focus block.'),
  }),
  /** A metric query in the names of a semantic layer. What the keys mean is in the prompt: a schema counts as prompt too. */
  'metric-query': z.object({
    missing: z.string().default(''),
    metrics: optionalList(metricFigure.extend({ per: metricFigure.nullable().default(null) })),
    rows: z.string().nullable().default(null),
    by: optionalList(z.string()),
    show: optionalList(z.string()),
    where: optionalList(
      z.union([
        metricTest,
        z.object({ any: z.array(metricTest) }),
        z.object({ related: z.string(), are: z.enum(['some', 'none']), where: optionalList(metricTest) }),
        metricComparison.extend({ each: z.string() }),
      ]),
    ),
    period: dayBounds
      .extend({ date: z.string().nullable().default(null) })
      .nullable()
      .default(null),
    compare: z
      .union([z.enum(['previous', 'year']), dayBounds])
      .nullable()
      .default(null),
    share: z.string().nullable().default(null),
    running: z.string().nullable().default(null),
    having: optionalList(metricComparison),
    sort: optionalList(z.object({ by: z.string(), direction: z.enum(['asc', 'desc']) })),
    limit: z.number().nullable().default(null),
    limitPer: optionalList(z.string()),
    assumptions: optionalList(z.string()),
  }),
  /** CHASE-SQL 3.4: reflect on the failure, then rewrite. */
  'fixed-sql': z.object({
    diagnosis: z.string().describe('Why the statement went wrong, in one or two sentences.'),
    ...statement,
  }),
  /** CHASE-SQL 3.5: which of two statements answers the question. The difference comes before the winner. */
  judgement: z.object({
    difference: z.string().describe('What sets the two statements apart, as far as the question cares.'),
    reason: z.string().describe('What decided it. One sentence.'),
    winner: z.enum(['first', 'second']),
  }),
  /** What a table and its columns mean (AskData), written from their profiles. */
  descriptions: z.object({
    table: z.string().describe('What one row of the table is. One sentence; empty when that cannot be told.'),
    columns: z
      .array(
        z.object({
          column: z.string().describe('Name of the column, as it is written.'),
          description: z
            .string()
            .describe('What it says of a row. One sentence; empty when that cannot be told.'),
        }),
      )
      .describe('Every column that was asked for.'),
  }),
  /** The first line of an answer, in a person's words. */
  headline: z.object({
    headline: z.string().describe('One sentence, with figures of the result only.'),
  }),
  /** What a message of a thread asks, as a complete question. */
  rewrite: z.object({
    kind: z
      .enum(['follow-up', 'new-question', 'small-talk', 'unclear'])
      .describe(
        'Whether the message changes or continues the thread, stands by itself, asks nothing, or cannot be told.',
      ),
    question: z
      .string()
      .describe('The whole question, readable without the thread. Empty for small talk and when unclear.'),
  }),
  /** CHASE-SQL 3.2: the parts of a question that stand for data, and how data may spell them. */
  keywords: z.object({
    phrases: z
      .array(
        z.object({
          phrase: z.string().describe('A piece of the question, letter by letter.'),
          kind: z.enum(['name', 'place', 'date', 'code', 'state', 'category', 'other']),
          spellings: z.array(z.string()).describe('Other ways in which a database may spell it. Up to six.'),
        }),
      )
      .describe('Phrases that stand for something stored in rows. May be empty.'),
  }),
  // Agents of published systems.
  ...agentReplies,
} as const

export type OutputName = keyof typeof outputs

/** The checked reply of a prompt with this output. */
export type OutputOf<Name extends OutputName> = z.output<(typeof outputs)[Name]>

/** The schema of an output as it is sent to an endpoint. */
export const replyFormat = (name: OutputName): ReplyFormat => {
  const { $schema: _, ...schema } = z.toJSONSchema(outputs[name], {
    // What a reply may leave out is asked for all the same; strict mode takes no defaults.
    override: ({ jsonSchema }) => {
      delete jsonSchema.default
    },
  })
  return { name, schema }
}
