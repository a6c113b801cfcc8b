import { z } from 'zod'
import { statementReply } from './replies.ts'
import {
  agentModelsSetting,
  confidenceSetting,
  countSetting,
  switchSetting,
  temperatureSetting,
} from './settings.ts'

/** Names of models that take turns; the models that draft if empty. */
const modelsInTurn = (whose: string) =>
  z
    .array(z.string().min(1))
    .default([])
    .meta({
      description: `Models of the ${whose}, in turn. Default: the models that draft.`,
      expects: 'a list of model names',
      examples: [['gpt-5-mini', 'qwen2.5-coder:14b']],
    })

const bestOfBappa = (standard: number, on: string) =>
  confidenceSetting(standard, `${standard}, about the best accuracy that the paper reports on ${on}`)

/** Settings of the discussion (BAPPA, section 3.1): three personas, three rounds, a judge each round. */
export const discussionSettings = z.strictObject({
  rounds: countSetting(1, 5, {
    description: 'Rounds of discussion, each with a verdict at its end.',
    standard: 3,
  }),
  judgeEachRound: switchSetting('Whether the judge speaks after each round. Off: after the last one alone.'),
  personaModels: modelsInTurn('three personas'),
  models: agentModelsSetting(['judge']),
  temperature: temperatureSetting('The temperature of the personas.'),
  confidence: bestOfBappa(0.53, 'the mini-dev set of BIRD'),
})

/** Settings of planner and coder (BAPPA, section 3.2). */
export const plannerCoderSettings = z.strictObject({
  planners: countSetting(1, 5, {
    description: 'Planners, each of which makes a plan of its own.',
    standard: 1,
  }),
  plannerModels: modelsInTurn('planners'),
  models: agentModelsSetting(['coder']),
  plannerTemperature: temperatureSetting('The temperature of the planners.', 0.6),
  coderTemperature: temperatureSetting('The temperature of the coder.'),
  confidence: bestOfBappa(0.56, 'the mini-dev set of BIRD'),
})

/** Settings of coders and aggregator (BAPPA, section 3.3). */
export const coderAggregatorSettings = z.strictObject({
  coders: countSetting(2, 9, { description: 'Coders that write a statement each.', standard: 3 }),
  personas: switchSetting('Whether the coders go about it like the personas of the discussion.', false),
  coderModels: modelsInTurn('coders'),
  models: agentModelsSetting(['aggregator']),
  coderTemperature: temperatureSetting('The temperature of the coders.'),
  aggregatorTemperature: temperatureSetting('The temperature of the aggregator.', 0.6),
  confidence: bestOfBappa(0.54, 'the mini-dev set of BIRD'),
})

export type DiscussionSettings = z.output<typeof discussionSettings>
export type PlannerCoderSettings = z.output<typeof plannerCoderSettings>
export type CoderAggregatorSettings = z.output<typeof coderAggregatorSettings>

const reasoned = z.object({
  reasoning: z.string().describe('How the statement comes about, step by step. A few sentences.'),
  ...statementReply,
})

/** What the agents of BAPPA's three pipelines reply. */
export const bappaReplies = {
  'discussion-answer': reasoned,
  'discussion-verdict': z.object({
    merits: z.string().describe('What is right and wrong about each of the three answers. A few sentences.'),
    ...statementReply,
  }),
  'planner-coder-plan': z.object({
    plan: z
      .array(z.string())
      .min(1)
      .describe(
        'The steps in order: tables, columns, joins, conditions, grouping, figures, sorting, columns returned.',
      ),
    missing: z.string().default('').describe('What the database lacks, if it cannot answer. Else empty.'),
  }),
  'planner-coder-statement': z.object(statementReply),
  'coder-aggregator-draft': reasoned,
  'coder-aggregator-final': reasoned,
} as const
