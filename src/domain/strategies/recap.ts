import { z } from 'zod'
import { statementReply } from './replies.ts'
import {
  agentModelsSetting,
  confidenceSetting,
  countSetting,
  switchSetting,
  temperatureSetting,
} from './settings.ts'

/** What the dialect retriever can look up: how a database writes what models often get wrong. */
export const dialectTopics = [
  'dates',
  'durations',
  'text',
  'nulls',
  'division',
  'statistics',
  'functions',
] as const

export type DialectTopic = (typeof dialectTopics)[number]

/**
 * Settings of ReCAPAgent-SQL (section 3.3). Three critiques of a plan and three sample rows are the paper's; it gives no
 * figures for the other limits.
 */
export const recapSettings = z.strictObject({
  knowledge: switchSetting(
    "Whether the knowledge retriever adds the team's terms and rules, values of the database and verified questions.",
  ),
  examples: countSetting(0, 10, {
    description: 'Verified questions that the knowledge retriever shows at most.',
    standard: 3,
  }),
  dialectRetriever: switchSetting(
    'Whether the dialect retriever is asked which details of the SQL dialect are needed.',
  ),
  planCritiques: countSetting(0, 10, {
    description: 'How often a plan is reviewed, and written again if it is lacking. 0: never.',
    standard: 3,
  }),
  sqlCritic: switchSetting('Whether every statement is reviewed before it is run.'),
  looks: switchSetting('Whether the action agent may look at the data with small queries first.'),
  schemaLinker: switchSetting(
    'Whether the schema is linked again when a statement names what does not exist.',
  ),
  refinements: countSetting(0, 10, {
    description: 'How often a statement is refined before the action agent starts over. 0: never.',
    standard: 3,
  }),
  validator: switchSetting('Whether a result is checked against the question before it is the answer.'),
  sampleRows: countSetting(0, 8, {
    description: 'Rows of a result that agents see, where they may see any.',
    standard: 3,
  }),
  steps: countSetting(1, 30, {
    description: 'Actions and refinements of one question at most; a repeated or malformed one counts.',
    standard: 6,
  }),
  temperature: temperatureSetting('The temperature of the action agent.'),
  models: agentModelsSetting([
    'planner',
    'plan-critic',
    'dialect-retriever',
    'action',
    'sql-critic',
    'refiner',
    'validator',
  ]),
  confidence: confidenceSetting(
    0.66,
    '0.66, the accuracy that the paper reports on BIRD for SSEV, which these agents are built on',
  ),
  doubtedConfidence: z
    .number()
    .min(0)
    .max(1)
    .default(0.31)
    .meta({
      description:
        'The confidence of an answer that ran, but that was not found valid within the limits. Default: 0.31, the accuracy that the paper reports on Spider 2.0-lite.',
      expects: 'a number from 0 to 1',
      examples: [0.31],
    }),
})

export type RecapSettings = z.output<typeof recapSettings>

/** What the agents of ReCAPAgent-SQL reply. */
export const recapReplies = {
  'recap-plan': z.object({
    steps: z
      .array(z.string())
      .describe('What has to be done, in order, one sentence each. No SQL. Empty only if it cannot be done.'),
    columns: z
      .array(
        z.object({
          name: z.string().describe('A column of the result, in plain words.'),
          type: z.enum(['number', 'text', 'date', 'timestamp', 'boolean', 'other']),
        }),
      )
      .describe('The columns of the result, in order.'),
    missing: statementReply.missing.describe(
      'If steps is empty: what the database lacks, in one sentence for the person who asked. Else empty.',
    ),
  }),
  'recap-plan-critique': z.object({
    critique: z.string().describe('What is missing or unclear. One to three sentences; empty if nothing is.'),
    complete: z.boolean().describe('Whether the plan has every step that the answer needs.'),
    clear: z.boolean().describe('Whether its reasoning is clear and coherent.'),
    revise: z.boolean().default(false).describe('Whether the plan has to be written again.'),
  }),
  'recap-dialect-topics': z.object({
    reason: z.string().describe('What of the plan needs a detail of the dialect. One sentence.'),
    topics: z.array(z.enum(dialectTopics)).describe('What to look up. Empty if nothing is needed.'),
  }),
  'recap-action': z.object({
    thought: z.string().describe('Where the work stands, and what to do next. One to three sentences.'),
    action: z
      .enum(['answer', 'look', 'finish'])
      .describe(
        'answer: run a statement that answers the question. look: run a small query first. finish: stop.',
      ),
    ...statementReply,
    sql: z.string().describe('The statement to run. Empty only for finish.'),
    missing: statementReply.missing.describe(
      'For finish, if the schema cannot answer: what the database lacks, in one sentence for the person who asked. Else empty.',
    ),
  }),
  'recap-sql-critique': z.object({
    flaws: z.string().describe('What is wrong with the statement. Empty if nothing is.'),
    sql: z.string().describe('The corrected statement, whole. The statement as it is if nothing is wrong.'),
  }),
  'recap-refinement': z.object({
    cause: z.string().describe('Why it went wrong. One or two sentences.'),
    verdict: z
      .enum(['change', 'keep'])
      .describe('change: sql has another statement. keep: what it found is right as it is.'),
    ...statementReply,
  }),
  'recap-verdict': z.object({
    reason: z.string().describe('How the result fits the question. One or two sentences.'),
    unneeded: z.array(z.string()).describe('Columns of the result that the question does not ask for.'),
    valid: z.boolean().describe('Whether the result answers the whole question.'),
    problem: z.string().describe('If it is not valid: what to change, in one or two sentences. Else empty.'),
  }),
} as const
