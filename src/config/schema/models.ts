import { z } from 'zod'
import { efforts, jsonFormats, tokenLimitNames } from '../../domain/operations/model-capabilities.ts'
import { wholeNumber } from './operations.ts'

const temperature = z.union([z.number().min(0).max(2), z.literal('none')]).meta({
  description:
    'How much drafts differ from each other. 0: as little as possible. none: not sent, for models that reject it.',
  expects: 'a number from 0 to 2, or none',
  examples: [0],
})

const model = z
  .string()
  .min(1)
  .meta({
    description: 'The name of the model at its endpoint.',
    expects: 'the name of a model',
    examples: ['gpt-5-mini'],
  })

const maxTokens = z.union([z.int().min(64).max(1_000_000), z.literal('none')]).meta({
  description: "The longest reply. none: not sent, so the endpoint's own limit holds.",
  expects: 'a whole number of tokens from 64 to 1000000, or none',
  examples: [4000],
})

const effort = z.enum([...efforts, 'none']).meta({
  description:
    "How much a reasoning model may think before it replies. none: not sent, so the model's own default holds.",
  expects: `one of ${efforts.join(', ')}, or none`,
  examples: ['low'],
})

const modelTimeoutMs = wholeNumber(1000, 600_000, {
  unit: 'milliseconds',
  description: 'How long one call may take, with retries.',
  examples: [60_000],
})

const fallbacks = z.array(model).meta({
  description: 'Models to call in this order if this one fails.',
  expects: 'a list of model names',
  examples: [['gpt-5-nano']],
})

const budgetShare = z
  .number()
  .gt(0)
  .max(1)
  .meta({
    description: "The share of a question's calls and tokens that this role may use.",
    expects: 'a number above 0, up to 1',
    examples: [1],
  })

const role = z.strictObject({
  model: model.exactOptional(),
  temperature: temperature.exactOptional(),
  maxTokens: maxTokens.exactOptional(),
  effort: effort.exactOptional(),
  timeoutMs: modelTimeoutMs.exactOptional(),
  fallbacks: fallbacks.exactOptional(),
  budgetShare: budgetShare.default(1),
})

const yesOrNo = (description: string, example: boolean) =>
  z
    .boolean()
    .exactOptional()
    .meta({ description, expects: 'true or false', examples: [example] })

/** What one model takes. What is left out is known by its name, or learned. */
const capabilities = z.strictObject({
  api: z
    .enum(['chat', 'responses'])
    .exactOptional()
    .meta({
      description: "Which of OpenAI's APIs it is asked with: chat completions, or responses.",
      expects: 'chat or responses',
      examples: ['chat'],
    }),
  temperature: yesOrNo('Whether it takes a temperature.', true),
  tokenLimit: z
    .enum(tokenLimitNames)
    .exactOptional()
    .meta({
      description: 'The name of the limit on its reply.',
      expects: 'max_tokens, max_completion_tokens or none',
      examples: ['max_tokens'],
    }),
  needsLimit: yesOrNo(
    'Whether a request must have a limit. Then it is 8192 tokens if a role sets none.',
    false,
  ),
  reasoning: yesOrNo('Whether it thinks before it replies.', false),
  effort: yesOrNo('Whether it takes a reasoning effort.', false),
  format: z
    .enum(jsonFormats)
    .exactOptional()
    .meta({
      description:
        'How its replies are held to JSON: by a schema, to any object, or by the words of the prompt.',
      expects: 'json_schema, json_object or none',
      examples: ['json_schema'],
    }),
  parallel: wholeNumber(1, 1000, {
    unit: 'conversations',
    description: 'The most conversations with it at one time. Others wait. Default: 8, for Ollama 2.',
    examples: [8],
  }).exactOptional(),
  cacheControl: yesOrNo(
    'Whether its endpoint takes marks (cache_control) of what to keep in its prompt cache.',
    false,
  ),
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
        effort: effort.exactOptional(),
        timeoutMs: modelTimeoutMs.default(60_000),
        fallbacks: fallbacks.default([]),
        budgetShare: budgetShare.default(1),
      })
      .meta({ description: 'Drafts metric queries and SQL.' }),
    drafters: z
      .array(
        z.strictObject({
          model,
          temperature: temperature.exactOptional(),
          maxTokens: maxTokens.exactOptional(),
          effort: effort.exactOptional(),
          timeoutMs: modelTimeoutMs.exactOptional(),
          fallbacks: fallbacks.exactOptional(),
        }),
      )
      .min(1)
      .exactOptional()
      .meta({
        description:
          'Several models that take turns at drafting. What is left out comes from the drafter. Default: only the drafter.',
        expects: 'a list of models, each with a name under `model`',
        examples: [[{ model: 'gpt-5-mini' }, { model: 'qwen2.5-coder:14b' }]],
      }),
    planner: role.prefault({}).meta({
      description: 'Makes examples for a draft.',
    }),
    fixer: role.prefault({}).meta({
      description: 'Repairs SQL.',
    }),
    judge: role
      .extend({
        seesRows: z
          .boolean()
          .default(true)
          .meta({
            description:
              'Whether the judge, the explainer and agents of published systems get the first rows of results. Otherwise they get the statements, the columns and the number of rows.',
            expects: 'true or false',
            examples: [true],
          }),
      })
      .prefault({})
      .meta({
        description: 'Compares two candidates.',
      }),
    explainer: role
      .extend({ timeoutMs: modelTimeoutMs.default(15_000) })
      .prefault({})
      .meta({
        description:
          'Phrases the first line of an answer, if its own `model` is set. Otherwise code writes it. It gets rows only if the judge does.',
      }),
    describer: role.prefault({}).meta({
      description: 'Describes tables for `index --describe`.',
    }),
    keywords: role
      .extend({ timeoutMs: modelTimeoutMs.default(15_000) })
      .prefault({})
      .meta({
        description: 'Finds the words of a question that may be values of the database.',
      }),
    rewriter: role
      .extend({ timeoutMs: modelTimeoutMs.default(15_000) })
      .prefault({})
      .meta({
        description:
          'Says what a message in a thread asks, and rewrites a follow-up as a complete question, unless the rules are sure.',
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
                "Who serves the model: `openai` for every endpoint with OpenAI's chat completions, or a LangChain provider whose package is installed.",
              expects: 'openai, or a LangChain provider such as anthropic',
              examples: ['anthropic'],
            }),
          model: model.exactOptional().meta({
            description: 'The name of the model there, if it is different.',
            expects: 'the name of a model',
            examples: ['claude-sonnet-4-5'],
          }),
          baseUrl: z
            .string()
            .regex(/^https?:\/\/./)
            .exactOptional()
            .meta({
              description:
                "The address of the endpoint. Default: OPENAI_BASE_URL, or the provider's own address.",
              expects: 'an address beginning with http:// or https://',
              examples: ['http://127.0.0.1:8000/v1'],
            }),
          apiKey: z
            .string()
            .min(1)
            .exactOptional()
            .meta({
              description: `Its key. Preferably \${NAME}, with the key in the environment. Default, if baseUrl is left out too: OPENAI_API_KEY.`,
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
    capabilities: z.record(model, capabilities).default({}).meta({
      description:
        'What models take, by the names that roles use. Default: what is known of the name, corrected by what the endpoint rejects.',
      expects: 'capabilities by the names of models',
    }),
    prices: z
      .record(
        model,
        z.strictObject({
          prompt: amount.meta({ description: 'The price of a million prompt tokens.' }),
          completion: amount.meta({ description: 'The price of a million reply tokens.' }),
        }),
      )
      .default({})
      .meta({
        description: 'The prices of models by name, in any one currency.',
        expects: 'prices by the names of models',
      }),
    breaker: z
      .strictObject({
        failures: wholeNumber(1, 1000, {
          unit: 'requests',
          description: 'A model is paused if this many requests failed, and at least half of all.',
          examples: [5],
        }).default(5),
        windowMs: wholeNumber(1000, 3_600_000, {
          unit: 'milliseconds',
          description: 'How long a failure counts.',
          examples: [60_000],
        }).default(60_000),
        restMs: wholeNumber(100, 3_600_000, {
          unit: 'milliseconds',
          description: 'How long the model is paused before one request tries it again.',
          examples: [30_000],
        }).default(30_000),
      })
      .prefault({})
      .meta({ description: 'When a failing model is paused.' }),
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
          'The model that embeds names and descriptions, to find columns by meaning. Default: columns are found by their words.',
      }),
  })
  .exactOptional()
  .meta({
    description: 'The models and their roles. Default: no model is called.',
  })

const MAX_BUDGET = 1_000_000_000_000

const tokens = (description: string, example: number) =>
  wholeNumber(1, MAX_BUDGET, {
    unit: 'tokens',
    description: `${description} Default: no limit.`,
    examples: [example],
  }).exactOptional()

const money = (description: string, example: number) =>
  amount.exactOptional().meta({
    description: `${description} by \`models.prices\`. Default: no limit.`,
    expects: 'an amount of money from 0',
    examples: [example],
  })

const rows = (description: string, example: number) =>
  wholeNumber(1, MAX_BUDGET, {
    unit: 'rows',
    description: `${description} Default: no limit.`,
    examples: [example],
  }).exactOptional()

const seconds = (description: string, example: number) =>
  wholeNumber(1, 1_000_000_000, {
    unit: 'seconds',
    description: `${description} Default: no limit.`,
    examples: [example],
  }).exactOptional()

/** What models and databases may be used for one question, by one person, in one channel and on one day. */
export const budgetSchema = z
  .strictObject({
    modelCallsPerQuestion: wholeNumber(1, 1000, {
      unit: 'calls',
      description: 'Model calls for one question.',
      examples: [30],
    }).default(30),
    tokensPerQuestion: wholeNumber(1000, 10_000_000, {
      unit: 'tokens',
      description: 'Tokens for one question, prompts and replies together.',
      examples: [200_000],
    }).default(200_000),
    modelTimePerQuestionMs: wholeNumber(1000, 3_600_000, {
      unit: 'milliseconds',
      description: 'How long one question may wait for models in total.',
      examples: [180_000],
    }).default(180_000),
    moneyPerQuestion: money('Money for one question,', 0.5),
    tokensPerUserPerDay: tokens("Tokens for one person's questions per day.", 2_000_000),
    moneyPerUserPerDay: money("Money for one person's questions per day,", 5),
    tokensPerChannelPerDay: tokens("Tokens for one channel's questions per day.", 5_000_000),
    moneyPerChannelPerDay: money("Money for one channel's questions per day,", 10),
    tokensPerDay: tokens('Tokens for all questions per day.', 20_000_000),
    moneyPerDay: money('Money for all questions per day,', 20),
    rowsPerQuestion: rows('Rows read from databases for one question.', 200_000),
    secondsPerQuestion: seconds('How long all statements of one question may run.', 300),
    rowsPerUserPerDay: rows('Rows read from databases for one person per day.', 5_000_000),
    secondsPerUserPerDay: seconds('How long statements may run for one person per day.', 1800),
    rowsPerChannelPerDay: rows('Rows read from databases for one channel per day.', 10_000_000),
    secondsPerChannelPerDay: seconds('How long statements may run for one channel per day.', 3600),
    rowsPerDay: rows('Rows read from databases for everyone per day.', 50_000_000),
    secondsPerDay: seconds('How long statements may run for everyone per day.', 14_400),
  })
  .prefault({})
  .meta({ description: 'Limits on what one question, one person, one channel and one day may use.' })
