import { z } from 'zod'
import { wholeNumber } from './operations.ts'

const temperature = z
  .number()
  .min(0)
  .max(2)
  .meta({
    description: 'How far drafts may differ from each other: 0 for the same each time.',
    expects: 'a number from 0 to 2',
    examples: [0],
  })

const model = z
  .string()
  .min(1)
  .meta({
    description: 'Name of the model, as the endpoint knows it.',
    expects: 'the name of a model',
    examples: ['gpt-5-mini'],
  })

const maxTokens = wholeNumber(64, 1_000_000, {
  unit: 'tokens',
  description: 'The longest reply asked for. Without it: what the endpoint takes.',
  examples: [4000],
})

const modelTimeoutMs = wholeNumber(1000, 600_000, {
  unit: 'milliseconds',
  description: 'How long one call may take, retries included.',
  examples: [60_000],
})

const fallbacks = z.array(model).meta({
  description: 'Models that are asked in turn when this one cannot be.',
  expects: 'a list of names of models',
  examples: [['gpt-5-nano']],
})

const budgetShare = z
  .number()
  .gt(0)
  .max(1)
  .meta({
    description: "How much of a question's calls and tokens this job may use.",
    expects: 'a number above 0, up to 1',
    examples: [1],
  })

const role = z.strictObject({
  model: model.exactOptional(),
  temperature: temperature.exactOptional(),
  maxTokens: maxTokens.exactOptional(),
  timeoutMs: modelTimeoutMs.exactOptional(),
  fallbacks: fallbacks.exactOptional(),
  budgetShare: budgetShare.default(1),
})

/** An amount of money, in whatever currency prices are given. */
const amount = z
  .number()
  .min(0)
  .meta({ expects: 'an amount of money from 0', examples: [0.25] })

/** Which model does which job, and what each costs. */
export const modelsSchema = z
  .strictObject({
    drafter: z
      .strictObject({
        model,
        temperature: temperature.default(0),
        maxTokens: maxTokens.exactOptional(),
        timeoutMs: modelTimeoutMs.default(60_000),
        fallbacks: fallbacks.default([]),
        budgetShare: budgetShare.default(1),
      })
      .meta({ description: 'The model that drafts SQL.' }),
    drafters: z
      .array(
        z.strictObject({
          model,
          temperature: temperature.exactOptional(),
          maxTokens: maxTokens.exactOptional(),
          timeoutMs: modelTimeoutMs.exactOptional(),
          fallbacks: fallbacks.exactOptional(),
        }),
      )
      .min(1)
      .exactOptional()
      .meta({
        description:
          'Several models that draft in turn; what is left out is as for the drafter. Without it the drafter drafts alone.',
        expects: 'a list of models, each with a name under `model`',
        examples: [[{ model: 'gpt-5-mini' }, { model: 'qwen2.5-coder:14b' }]],
      }),
    planner: role.prefault({}).meta({
      description: 'The model that makes examples for a draft. What is left out is as for the drafter.',
    }),
    fixer: role.prefault({}).meta({
      description: 'The model that repairs SQL. What is left out is as for the drafter.',
    }),
    judge: role
      .extend({
        seesRows: z
          .boolean()
          .default(true)
          .meta({
            description:
              'Whether the judge is sent the first rows of the two results. Without them it goes by the statements, and by how many rows of which columns there are.',
            expects: 'true or false',
            examples: [true],
          }),
      })
      .prefault({})
      .meta({
        description: 'The model that compares two candidates. What is left out is as for the drafter.',
      }),
    explainer: role.prefault({}).meta({
      description:
        'The model that is to put an answer into words. Nothing asks it yet: headlines are written from the result by code.',
    }),
    describer: role.prefault({}).meta({
      description:
        'The model that describes tables for `index --describe`. What is left out is as for the drafter.',
    }),
    keywords: role
      .extend({ timeoutMs: modelTimeoutMs.default(15_000) })
      .prefault({})
      .meta({
        description:
          'The model that finds what a question may call values of the database. What is left out is as for the drafter.',
      }),
    rewriter: role
      .extend({ timeoutMs: modelTimeoutMs.default(15_000) })
      .prefault({})
      .meta({
        description:
          'The model that makes a whole question of a follow-up that rules cannot read. What is left out is as for the drafter.',
      }),
    endpoints: z
      .record(
        model,
        z.strictObject({
          provider: z
            .string()
            .regex(/^[a-z][a-z_-]*$/)
            .default('openai')
            .meta({
              description:
                "Who serves the model: `openai` for every endpoint that speaks OpenAI's chat completions, else a provider of LangChain, whose package has to be installed.",
              expects: 'openai, or a provider of LangChain such as anthropic',
              examples: ['anthropic'],
            }),
          model: model.exactOptional().meta({
            description: 'What the model is called there, where that is another name.',
            expects: 'the name of a model',
            examples: ['claude-sonnet-4-5'],
          }),
          baseUrl: z
            .string()
            .regex(/^https?:\/\/./)
            .exactOptional()
            .meta({
              description: "Where it is. Without it: OPENAI_BASE_URL, or the provider's own address.",
              expects: 'an address beginning with http:// or https://',
              examples: ['http://127.0.0.1:8000/v1'],
            }),
          apiKey: z
            .string()
            .min(1)
            .exactOptional()
            .meta({
              description: `Its key. Best as \${NAME}, with the key in the environment. Without it, where baseUrl is left out too: OPENAI_API_KEY.`,
              expects: 'the key of the endpoint',
              examples: [`\${ANTHROPIC_API_KEY}`],
              secret: true,
            }),
        }),
      )
      .default({})
      .meta({
        description: 'Models that are not at OPENAI_BASE_URL, by the name that roles use.',
        expects: 'endpoints by the names of models',
      }),
    prices: z
      .record(
        model,
        z.strictObject({
          prompt: amount.meta({ description: 'A million tokens of prompts.' }),
          completion: amount.meta({ description: 'A million tokens of replies.' }),
        }),
      )
      .default({})
      .meta({
        description: 'What models cost, by name, in whatever currency you count in.',
        expects: 'prices by the names of models',
      }),
    breaker: z
      .strictObject({
        failures: wholeNumber(1, 1000, {
          unit: 'requests',
          description: 'A model is left alone when so many requests failed, and at least half of all.',
          examples: [5],
        }).default(5),
        windowMs: wholeNumber(1000, 3_600_000, {
          unit: 'milliseconds',
          description: 'How far back failures count.',
          examples: [60_000],
        }).default(60_000),
        restMs: wholeNumber(100, 3_600_000, {
          unit: 'milliseconds',
          description: 'How long it is left alone before one request tries it again.',
          examples: [30_000],
        }).default(30_000),
      })
      .prefault({})
      .meta({ description: 'When a failing model is left alone for a while.' }),
    embedder: z
      .strictObject({
        model,
        timeoutMs: wholeNumber(1000, 600_000, {
          unit: 'milliseconds',
          description: 'How long one request may take.',
          examples: [10_000],
        }).default(10_000),
      })
      .exactOptional()
      .meta({
        description:
          'The model that embeds names and descriptions, for finding columns by their sense. Without it they are found by their words.',
      }),
  })
  .exactOptional()
  .meta({
    description: 'Which model does which job. Without it no model is called.',
  })

const MAX_BUDGET = 1_000_000_000_000

const tokens = (description: string, example: number) =>
  wholeNumber(1, MAX_BUDGET, {
    unit: 'tokens',
    description: `${description} Without it: no limit.`,
    examples: [example],
  }).exactOptional()

const money = (description: string, example: number) =>
  amount.exactOptional().meta({
    description: `${description} by the prices under \`models\`. Without it: no limit.`,
    expects: 'an amount of money from 0',
    examples: [example],
  })

const rows = (description: string, example: number) =>
  wholeNumber(1, MAX_BUDGET, {
    unit: 'rows',
    description: `${description} Without it: no limit.`,
    examples: [example],
  }).exactOptional()

const seconds = (description: string, example: number) =>
  wholeNumber(1, 1_000_000_000, {
    unit: 'seconds',
    description: `${description} Without it: no limit.`,
    examples: [example],
  }).exactOptional()

/** What models and databases may be used for one question, by one person, in one channel and on one day. */
export const budgetSchema = z
  .strictObject({
    modelCallsPerQuestion: wholeNumber(1, 1000, {
      unit: 'calls',
      description: 'The most model calls for one question.',
      examples: [30],
    }).default(30),
    tokensPerQuestion: wholeNumber(1000, 10_000_000, {
      unit: 'tokens',
      description: 'The most tokens for one question, prompts and replies together.',
      examples: [200_000],
    }).default(200_000),
    modelTimePerQuestionMs: wholeNumber(1000, 3_600_000, {
      unit: 'milliseconds',
      description: 'How long one question may wait for models, all of its calls together.',
      examples: [180_000],
    }).default(180_000),
    moneyPerQuestion: money('The most money for one question,', 0.5),
    tokensPerUserPerDay: tokens("The most tokens for one person's questions in a day.", 2_000_000),
    moneyPerUserPerDay: money("The most money for one person's questions in a day,", 5),
    tokensPerChannelPerDay: tokens("The most tokens for one channel's questions in a day.", 5_000_000),
    moneyPerChannelPerDay: money("The most money for one channel's questions in a day,", 10),
    tokensPerDay: tokens('The most tokens for all questions in a day.', 20_000_000),
    moneyPerDay: money('The most money for all questions in a day,', 20),
    rowsPerQuestion: rows('The most rows read from databases for one question.', 200_000),
    secondsPerQuestion: seconds('How long statements may run for one question, all together.', 300),
    rowsPerUserPerDay: rows('The most rows read from databases for one person in a day.', 5_000_000),
    secondsPerUserPerDay: seconds('How long statements may run for one person in a day.', 1800),
    rowsPerChannelPerDay: rows('The most rows read from databases for one channel in a day.', 10_000_000),
    secondsPerChannelPerDay: seconds('How long statements may run for one channel in a day.', 3600),
    rowsPerDay: rows('The most rows read from databases for everybody in a day.', 50_000_000),
    secondsPerDay: seconds('How long statements may run for everybody in a day.', 14_400),
  })
  .prefault({})
  .meta({ description: 'What one question, one person, one channel and one day may cost.' })
