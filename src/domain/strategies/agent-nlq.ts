import { z } from 'zod'
import { statementReply } from './replies.ts'
import {
  agentModelsSetting,
  confidenceSetting,
  countSetting,
  switchSetting,
  temperatureSetting,
} from './settings.ts'

/**
 * Settings of AgentNLQ (Bogdanov et al., sections 3.3.3 to 3.3.9); the defaults are the paper's. The switches leave out what
 * its ablation adds (table 4). The paper's own figure, 0.781 on the dev set of BIRD, is of a judge that also takes results
 * with more than was asked for as right; the confidence is therefore lower.
 */
export const agentNlqSettings = z.strictObject({
  attempts: countSetting(1, 8, {
    description: 'Attempts at a statement, of the fast loop and the slow generator together.',
    standard: 4,
  }),
  fastAttempts: countSetting(0, 8, {
    description: 'Attempts of the fast loop before the slow generator takes over. 0: it starts.',
    standard: 2,
  }),
  taskLedger: switchSetting('Whether a plan is made first. Off: the fast loop sees every table.'),
  enrichedMetadata: switchSetting(
    'Whether planner and slow generator see comments, values and statistics of columns. Off: names, types and keys.',
  ),
  prunedHistory: switchSetting(
    'Whether attempts between the first and the latest are cut to a line. Off: all are shown in full.',
  ),
  shots: countSetting(0, 5, {
    description: 'Verified questions that the slow generator is shown, if any are like the one asked.',
    standard: 1,
  }),
  judge: switchSetting('Whether a judge rates the answer. Its score becomes the confidence.', false),
  temperature: temperatureSetting('The temperature of all agents.', 0),
  models: agentModelsSetting(['planner', 'fast', 'slow', 'judge']),
  confidence: confidenceSetting(
    0.7,
    '0.7, less than the 0.78 that the paper reports on the dev set of BIRD, because its judge also takes partial matches as right',
  ),
})

export type AgentNlqSettings = z.output<typeof agentNlqSettings>

const lines = (description: string) => z.array(z.string()).default([]).describe(description)

/** What the agents of AgentNLQ reply. */
export const agentNlqReplies = {
  'agent-nlq-ledger': z.object({
    subquestions: z
      .array(
        z.object({
          question: z.string().describe('What has to be found out.'),
          needs: z
            .array(z.int())
            .default([])
            .describe('Numbers of the sub-questions that it builds on, from 1. Else empty.'),
        }),
      )
      .describe('In the order in which they are answered. One for a simple question.'),
    tables: lines('The tables that are needed, as the schema spells them.'),
    joins: lines('How they are joined, one pair of tables each: a.x = b.y.'),
    filters: lines('Conditions on rows, with columns and exact values.'),
    groupBy: lines('Columns that results are grouped by. Empty if there is one group.'),
    metrics: lines('What is computed, with columns, and what is returned in which order.'),
    rules: lines('Rules and definitions of the evidence block that bear on the question.'),
    missing: statementReply.missing.describe('What the database lacks, if it cannot answer. Else empty.'),
  }),
  'agent-nlq-emission': z.object({
    thought: z.string().describe('What ledger and last attempt call for. One or two sentences.'),
    sql: z.string().describe('The statement. Empty to leave the question to the SQL generator.'),
    assumptions: statementReply.assumptions,
  }),
  'agent-nlq-generation': z.object({
    diagnosis: z.string().describe('Why earlier attempts failed and what has to be different now.'),
    steps: z
      .array(z.string())
      .describe('Tables, joins, filters, groups and figures, and whether each column exists, in order.'),
    ...statementReply,
  }),
  'agent-nlq-judgement': z.object({
    reasoning: z.string().describe('What the result shows and what was asked for. A few sentences.'),
    code: z
      .enum(['correct', 'partial', 'wrong', 'no-result', 'unexpected'])
      .describe('partial: the answer is there, with more beside it.'),
    score: z.int().min(0).max(100).describe('How likely the result answers the question, in percent.'),
  }),
} as const
