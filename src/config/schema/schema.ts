import { IANAZone } from 'luxon'
import { z } from 'zod'
import { draftBudgets } from '../../domain/selection/draft-rounds.ts'
import { strategiesSchema, strategyNames } from '../../domain/strategies/strategy.ts'
import '../environment-variables.ts'
import { accessSchema } from './access.ts'
import { channelsSchema, directMessagesSchema, otherChannelsSchema } from './channels.ts'
import { databaseSchema } from './database.ts'
import { mcpSchema } from './mcp.ts'
import { budgetSchema, modelsSchema } from './models.ts'
import {
  digestsSchema,
  operationsSchema,
  rateLimitsSchema,
  retentionSchema,
  selectionSchema,
  wholeNumber,
} from './operations.ts'

/**
 * The schema of querent.yml, with every default. Each setting has a description, what it expects and an example; error
 * messages and docs/reference/settings.md are made from them.
 */
export const configSchema = z.strictObject({
  defaultDatabase: z
    .string()
    .exactOptional()
    .meta({
      description: 'The database to ask if none is named. Default: the sample company.',
      expects: 'the name of one of `databases`',
      examples: ['shop'],
    }),
  databases: z
    .record(
      z
        .string()
        .regex(/^[a-z][a-z0-9_-]*$/i)
        .meta({ expects: 'letters, digits, _ and -, beginning with a letter', examples: ['shop'] }),
      databaseSchema,
    )
    .default({})
    .meta({ description: 'The databases that people may ask about, by name.', expects: 'databases by name' }),
  access: accessSchema,
  channels: channelsSchema,
  otherChannels: otherChannelsSchema,
  directMessages: directMessagesSchema,
  timeZone: z
    .string()
    .refine(zone => IANAZone.isValidZone(zone))
    .exactOptional()
    .meta({
      description: 'The time zone for "yesterday" and "last month". Default: the zone of the machine.',
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
        description: 'Rows read from one statement.',
        examples: [10_000],
      }).default(10_000),
      maxBytes: wholeNumber(1000, 1_000_000_000, {
        unit: 'bytes',
        description: 'Bytes read from one statement.',
        examples: [20_000_000],
      }).default(20_000_000),
      heavyRows: wholeNumber(0, 1_000_000_000_000, {
        unit: 'rows',
        description:
          'Querent asks before it runs a statement whose plan reads more rows than this. 0: never.',
        examples: [50_000_000],
      }).default(50_000_000),
    })
    .prefault({})
    .meta({ description: 'Limits of every statement.' }),
  rateLimits: rateLimitsSchema,
  digests: digestsSchema,
  export: z
    .strictObject({
      maxRows: wholeNumber(1, 5_000_000, {
        unit: 'rows',
        description: 'Rows of an exported file.',
        examples: [100_000],
      }).default(100_000),
      maxBytes: wholeNumber(1000, 1_000_000_000, {
        unit: 'bytes',
        description: 'Bytes read from the database for an exported file.',
        examples: [100_000_000],
      }).default(100_000_000),
    })
    .prefault({})
    .meta({ description: 'Limits of exported files. `limits.timeoutMs` applies to them too.' }),
  index: z
    .strictObject({
      timeBudgetMs: wholeNumber(1000, 86_400_000, {
        unit: 'milliseconds',
        description:
          'How long profiling a database may take, and then again reading values for the index. One table may take a quarter of the first. What does not fit is left out.',
        examples: [120_000],
      }).default(120_000),
      maxAgeHours: wholeNumber(1, 8760, {
        unit: 'hours',
        description: 'After this time the index of a server is rebuilt in the background.',
        examples: [24],
      }).default(24),
      valueBytes: wholeNumber(1_000_000, 8_000_000_000, {
        unit: 'bytes',
        description:
          'The memory for the value index of one database. Columns with many values are left out first.',
        examples: [268_435_456],
      }).default(268_435_456),
    })
    .prefault({})
    .meta({ description: 'How databases are profiled and indexed.' }),
  models: modelsSchema,
  linking: z
    .strictObject({
      tokenBudget: wholeNumber(200, 1_000_000, {
        unit: 'tokens',
        description:
          'The part of a schema that a prompt may contain. A larger schema is cut to what the question needs most.',
        examples: [6000],
      }).default(6000),
    })
    .prefault({})
    .meta({ description: 'How tables and columns are chosen for prompts.' }),
  budget: budgetSchema,
  strategy: z
    .enum(strategyNames)
    .exactOptional()
    .meta({
      description:
        "How questions are answered: `adaptive` and `chase` are Querent's own drafting, the others published systems (docs/strategies.md). Default: as `drafting.mode` says.",
      expects: 'the name of a strategy (docs/strategies.md)',
      examples: ['mac-sql'],
    }),
  strategies: strategiesSchema
    .prefault({})
    .meta({ description: 'Settings of strategies, by their names; docs/strategies.md lists them.' }),
  drafting: z
    .strictObject({
      mode: z
        .enum(['adaptive', 'full'])
        .default('adaptive')
        .meta({
          description:
            'adaptive: drafts in rounds, and stops if another draft is not worth its cost. full: makes all drafts at once.',
          expects: 'adaptive or full',
          examples: ['adaptive'],
        }),
      draftBudget: z
        .enum(draftBudgets)
        .default('balanced')
        .meta({
          description:
            'When the adaptive mode stops. On measured drafts, frugal takes 2.5 a question and loses 1.6 points against all 25, balanced takes 4.5 and loses 0.5, thorough takes 8 and loses nothing (docs/evaluation.md).',
          expects: 'frugal, balanced or thorough',
          examples: ['balanced'],
        }),
      mostDrafts: wholeNumber(1, 100, {
        unit: 'drafts',
        description:
          'The most drafts of SQL that models write for one question. In the adaptive mode, a metric query comes on top.',
        examples: [21],
      }).default(21),
      examples: z
        .strictObject({
          features: wholeNumber(0, 20, {
            unit: 'examples',
            description:
              'Examples of common SQL features that are made for each question before the drafts that learn from examples.',
            examples: [5],
          }).default(5),
          focused: wholeNumber(0, 20, {
            unit: 'examples',
            description: 'Examples of the columns that the question needs, likewise.',
            examples: [4],
          }).default(4),
          shown: wholeNumber(0, 40, {
            unit: 'examples',
            description: 'Of the examples that run, this many are shown to each of these drafts.',
            examples: [6],
          }).default(6),
        })
        .prefault({})
        .meta({ description: 'Made-up examples. With 0 of both kinds none are made.' }),
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
            'The confidence that an answer needs, from 0 to 1. Below it, Querent says what it did not understand. Raise it if a wrong answer costs you more than no answer.',
          expects: 'a number from 0 to 1',
          examples: [0.3],
        }),
      costOfAsking: z
        .number()
        .min(0)
        .max(1)
        .default(0.12)
        .meta({
          description:
            'Querent asks back only if that raises the probability of a right answer by at least this much, from 0 to 1. 1: never.',
          expects: 'a number from 0 to 1',
          examples: [0.12],
        }),
      askInFullMode: z
        .boolean()
        .default(false)
        .meta({
          description:
            'Whether Querent asks back with `drafting.mode: full` too. Otherwise the judge decides between results.',
          expects: 'true or false',
          examples: [false],
        }),
      cacheMinutes: wholeNumber(0, 1440, {
        unit: 'minutes',
        description:
          'How long an answer may be shown again, with its age, to anyone who asks the same and has the same access. 0: never.',
        examples: [15],
      }).default(15),
    })
    .prefault({})
    .meta({ description: 'When to answer, and when to ask back.' }),
  selection: selectionSchema,
  verified: z
    .strictObject({
      recheckHours: wholeNumber(0, 8760, {
        unit: 'hours',
        description: 'How often accepted verified queries are run again to check them. 0: never.',
        examples: [24],
      }).default(24),
    })
    .prefault({})
    .meta({ description: 'How verified queries are checked.' }),
  telemetry: z
    .strictObject({
      questionText: z
        .boolean()
        .default(false)
        .meta({
          description: 'Whether spans contain the text of questions. They never contain rows or prompts.',
          expects: 'true or false',
          examples: [false],
        }),
    })
    .prefault({})
    .meta({ description: 'What operators see.' }),
  operations: operationsSchema,
  retention: retentionSchema,
  mcp: mcpSchema,
  slack: z
    .strictObject({
      port: wholeNumber(1, 65_535, {
        unit: 'ports',
        expects: 'the number of a port, from 1 to 65535',
        description:
          'The port where Slack calls the bot over HTTP, and where browsers find /slack/install. Not used with Socket Mode and SLACK_BOT_TOKEN.',
        examples: [3000],
      }).default(3000),
      host: z
        .string()
        .min(1)
        .exactOptional()
        .meta({
          description:
            'The address to listen on there. Default: every address of this machine, as a container needs. Behind a proxy on the same machine: 127.0.0.1.',
          expects: 'an address or a name of this machine',
          examples: ['127.0.0.1'],
        }),
      workers: wholeNumber(1, 100, {
        unit: 'questions',
        description: 'How many questions one process works on at a time.',
        examples: [4],
      }).default(4),
      admins: z
        .array(
          z
            .string()
            .regex(/^[UW][A-Z0-9]+$/)
            .meta({
              expects: 'the id of a person, as their Slack profile shows it',
              examples: ['U012AB3CD'],
            }),
        )
        .default([])
        .meta({
          description:
            'Admins: they may stop the questions of others, and have their own section in App Home.',
          expects: 'ids of people',
          examples: [['U012AB3CD']],
        }),
      workspaces: z
        .array(
          z
            .string()
            .regex(/^T[A-Z0-9]+$/)
            .meta({
              expects: 'the id of a workspace, as its address app.slack.com/client/T... shows it',
              examples: ['T012AB3CD'],
            }),
        )
        .default([])
        .meta({
          description: 'The workspaces that may install the app at /slack/install if SLACK_CLIENT_ID is set.',
          expects: 'ids of workspaces',
          examples: [['T012AB3CD']],
        }),
      humansChannel: z
        .string()
        .regex(/^[CG][A-Z0-9]+$/)
        .exactOptional()
        .meta({
          description:
            'The channel for answers that someone wants a person to check. Default: nobody can ask for a check.',
          expects: 'the id of a channel with the bot in it',
          examples: ['C0123ABCD'],
        }),
    })
    .prefault({})
    .meta({ description: 'How Slack reaches the bot, and how much it works on at once.' }),
})

/** querent.yml after validation, with defaults filled in. */
export type ConfigFile = z.output<typeof configSchema>
