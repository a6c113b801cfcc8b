import { IANAZone } from 'luxon'
import { z } from 'zod'
import './environment-variables.ts'

const wholeNumber = (from: number, to: number, meta: z.GlobalMeta & { unit: string }) => {
  const { unit, ...rest } = meta
  return z
    .int()
    .min(from)
    .max(to)
    .meta({ ...rest, expects: `a whole number of ${unit} from ${from} to ${to}` })
}

const tablePattern = z
  .string()
  .regex(/^[^.]+(\.[^.]+)?$/)
  .meta({ expects: 'a table such as orders or hr.*', examples: ['hr.*'] })
const columnPattern = z
  .string()
  .regex(/^[^.]+(\.[^.]+){1,2}$/)
  .meta({ expects: 'a column such as customers.email or *.ssn', examples: ['customers.email'] })

const database = z.strictObject({
  url: z
    .string()
    .regex(/^(postgres(ql)?:\/\/|mysql:\/\/|mariadb:\/\/|sqlite:|duckdb:)./)
    .exactOptional()
    .meta({
      description: `Where the database is. Give 'url' or 'path'. Best as \${NAME}, with the URL in the environment.`,
      expects: 'postgres://..., mysql://..., sqlite:PATH or duckdb:PATH',
      examples: [`\${SHOP_DATABASE_URL}`],
      secret: true,
    }),
  path: z
    .string()
    .min(1)
    .exactOptional()
    .meta({
      description: 'A SQLite file, relative to querent.yml.',
      expects: 'the path of a SQLite file',
      examples: ['data/shop.sqlite'],
    }),
  description: z
    .string()
    .min(1)
    .exactOptional()
    .meta({
      description: 'What is in it, in a sentence, for people and for models.',
      expects: 'a sentence',
      examples: ['Orders, customers and stock of the web shop'],
    }),
  allowFunctions: z
    .array(
      z
        .string()
        .regex(/^[a-z_][\w.]*$/i)
        .meta({ expects: 'the name of a function', examples: ['fiscal_quarter'] }),
    )
    .default([])
    .meta({
      description:
        'Functions of your own that statements may call, beside those that Querent knows to be harmless.',
      expects: 'a list of names of functions',
      examples: [['fiscal_quarter']],
    }),
  tables: z
    .strictObject({
      include: z
        .array(tablePattern)
        .default([])
        .meta({
          description: 'Only these tables may be asked about. Without it: all.',
          expects: 'a list of tables',
          examples: [['orders', 'shop.*']],
        }),
      exclude: z
        .array(tablePattern)
        .default([])
        .meta({
          description: 'Tables that nobody may ask about. They are not there for anybody.',
          expects: 'a list of tables',
          examples: [['hr.*']],
        }),
    })
    .prefault({})
    .meta({ description: 'Which tables may be asked about.' }),
  columns: z
    .strictObject({
      exclude: z
        .array(columnPattern)
        .default([])
        .meta({
          description: 'Columns that nobody may ask about. They are not there for anybody.',
          expects: 'a list of columns',
          examples: [['*.password_hash']],
        }),
      mask: z
        .array(columnPattern)
        .default([])
        .meta({
          description:
            'Columns whose values nobody sees: they may be counted, checked for NULL and joined on, and no more.',
          expects: 'a list of columns',
          examples: [['customers.email', '*.ssn']],
        }),
    })
    .prefault({})
    .meta({ description: 'Which columns may be asked about.' }),
})

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
const price = z
  .number()
  .min(0)
  .meta({ expects: 'an amount of money from 0', examples: [0.25] })

/**
 * What may stand in querent.yml, with every default. Each setting says what it is for, what it expects and an
 * example: messages and the reference page are written from that.
 */
export const configSchema = z.strictObject({
  defaultDatabase: z
    .string()
    .exactOptional()
    .meta({
      description: 'The database to ask when none is named. Without it: the sample company.',
      expects: 'the name of one of `databases`',
      examples: ['shop'],
    }),
  databases: z
    .record(
      z
        .string()
        .regex(/^[a-z][a-z0-9_-]*$/i)
        .meta({ expects: 'letters, digits, _ and -, beginning with a letter', examples: ['shop'] }),
      database,
    )
    .default({})
    .meta({ description: 'The databases that people may ask about, by name.', expects: 'databases by name' }),
  timeZone: z
    .string()
    .refine(zone => IANAZone.isValidZone(zone))
    .exactOptional()
    .meta({
      description: 'In whose days "yesterday" and "last month" are cut. Without it: the zone of the machine.',
      expects: 'an IANA time zone',
      examples: ['Europe/Berlin'],
    }),
  limits: z
    .strictObject({
      timeoutMs: wholeNumber(100, 600_000, {
        unit: 'milliseconds',
        description: 'How long one statement may run.',
        examples: [30_000],
      }).default(30_000),
      maxRows: wholeNumber(1, 1_000_000, {
        unit: 'rows',
        description: 'The most rows read from one statement.',
        examples: [10_000],
      }).default(10_000),
      maxBytes: wholeNumber(1000, 1_000_000_000, {
        unit: 'bytes',
        description: 'The most bytes read from one statement.',
        examples: [20_000_000],
      }).default(20_000_000),
    })
    .prefault({})
    .meta({ description: 'Caps on every statement.' }),
  index: z
    .strictObject({
      timeBudgetMs: wholeNumber(1000, 86_400_000, {
        unit: 'milliseconds',
        description:
          'How long measuring a database may take. One table may take a quarter of it; what is not reached is left out.',
        examples: [120_000],
      }).default(120_000),
      maxAgeHours: wholeNumber(1, 8760, {
        unit: 'hours',
        description: 'What is known of a server is measured anew after so long, while it is used on.',
        examples: [24],
      }).default(24),
      valueBytes: wholeNumber(1_000_000, 8_000_000_000, {
        unit: 'bytes',
        description:
          'What the index of the values of one database may take in memory. Columns with many values give way first.',
        examples: [268_435_456],
      }).default(268_435_456),
    })
    .prefault({})
    .meta({ description: 'How databases are measured and indexed.' }),
  models: z
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
        description: 'The model that puts an answer into words. What is left out is as for the drafter.',
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
            prompt: price.meta({ description: 'A million tokens of prompts.' }),
            completion: price.meta({ description: 'A million tokens of replies.' }),
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
    }),
  linking: z
    .strictObject({
      tokenBudget: wholeNumber(200, 1_000_000, {
        unit: 'tokens',
        description:
          'How much of a schema a prompt may hold. A larger schema is cut to what the question needs most.',
        examples: [6000],
      }).default(6000),
    })
    .prefault({})
    .meta({ description: 'How the part of a schema that models are shown is chosen.' }),
  budget: z
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
      tokensPerUserPerDay: wholeNumber(1, 1_000_000_000_000, {
        unit: 'tokens',
        description: "The most tokens for one person's questions in a day. Without it: no limit.",
        examples: [2_000_000],
      }).exactOptional(),
      tokensPerDay: wholeNumber(1, 1_000_000_000_000, {
        unit: 'tokens',
        description: 'The most tokens for all questions in a day. Without it: no limit.',
        examples: [20_000_000],
      }).exactOptional(),
      moneyPerDay: price.exactOptional().meta({
        description:
          'The most money for all questions in a day, by the prices under `models`. Without it: no limit.',
        expects: 'an amount of money from 0',
        examples: [20],
      }),
    })
    .prefault({})
    .meta({ description: 'What one question, one person and one day may cost.' }),
  drafting: z
    .strictObject({
      mode: z
        .enum(['adaptive', 'full'])
        .default('adaptive')
        .meta({
          description:
            'adaptive drafts in waves and stops when a further draft is not worth its cost; full makes all drafts at once.',
          expects: 'adaptive or full',
          examples: ['adaptive'],
        }),
      mostDrafts: wholeNumber(1, 100, {
        unit: 'drafts',
        description: 'The most drafts that models write for one question.',
        examples: [21],
      }).default(21),
    })
    .prefault({})
    .meta({ description: 'How many drafts a question gets.' }),
  answer: z
    .strictObject({
      minimumConfidence: z
        .number()
        .min(0)
        .max(1)
        .default(0.3)
        .meta({
          description:
            'How sure Querent must be to answer, from 0 to 1. Below it says what it did not understand.',
          expects: 'a number from 0 to 1',
          examples: [0.3],
        }),
    })
    .prefault({})
    .meta({ description: 'When to answer.' }),
  slack: z
    .strictObject({
      port: wholeNumber(1, 65_535, {
        unit: 'ports',
        description: 'Where Slack reaches the bot over HTTP. Not used with Socket Mode.',
        examples: [3000],
      }).default(3000),
      workers: wholeNumber(1, 100, {
        unit: 'questions',
        description: 'How many questions one process works on at a time.',
        examples: [4],
      }).default(4),
    })
    .prefault({})
    .meta({ description: 'How the bot is reached, and how much it takes on.' }),
})

/** querent.yml after validation, with defaults filled in. */
export type ConfigFile = z.output<typeof configSchema>
