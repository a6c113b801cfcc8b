import { IANAZone } from 'luxon'
import { z } from 'zod'
import '../environment-variables.ts'
import { channelsSchema, directMessagesSchema, otherChannelsSchema } from './channels.ts'
import { databaseSchema } from './database.ts'
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
      databaseSchema,
    )
    .default({})
    .meta({ description: 'The databases that people may ask about, by name.', expects: 'databases by name' }),
  channels: channelsSchema,
  otherChannels: otherChannelsSchema,
  directMessages: directMessagesSchema,
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
      heavyRows: wholeNumber(0, 1_000_000_000_000, {
        unit: 'rows',
        description:
          'A statement whose plan reads more rows than this is only run when the person says so. 0: nobody is asked.',
        examples: [50_000_000],
      }).default(50_000_000),
    })
    .prefault({})
    .meta({ description: 'Caps on every statement.' }),
  rateLimits: rateLimitsSchema,
  digests: digestsSchema,
  export: z
    .strictObject({
      maxRows: wholeNumber(1, 5_000_000, {
        unit: 'rows',
        description: 'The most rows of a file that somebody exports.',
        examples: [100_000],
      }).default(100_000),
      maxBytes: wholeNumber(1000, 1_000_000_000, {
        unit: 'bytes',
        description: 'The most bytes read from the database for such a file.',
        examples: [100_000_000],
      }).default(100_000_000),
    })
    .prefault({})
    .meta({ description: 'Caps on files with whole results. `limits.timeoutMs` holds for them too.' }),
  index: z
    .strictObject({
      timeBudgetMs: wholeNumber(1000, 86_400_000, {
        unit: 'milliseconds',
        description:
          'How long measuring a database may take, and reading values for the index after that. One table may take a quarter of the first; what is not reached is left out.',
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
  models: modelsSchema,
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
  budget: budgetSchema,
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
            'How sure Querent must be to answer, from 0 to 1: what a wrong answer costs, as a share of that and of what withholding a right one costs. Below it says what it did not understand.',
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
            "What a person's attention costs, from 0 to 1: Querent asks back only where that adds at least as much to the probability of a right answer. 1: never.",
          expects: 'a number from 0 to 1',
          examples: [0.12],
        }),
      cacheMinutes: wholeNumber(0, 1440, {
        unit: 'minutes',
        description:
          'How long an answer may be shown again, with its age, to whoever asks the same and may see the same. 0: never.',
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
        description:
          'How often accepted verified queries are run again, to see whether they still hold. 0: never.',
        examples: [24],
      }).default(24),
    })
    .prefault({})
    .meta({ description: 'How verified queries are kept true.' }),
  telemetry: z
    .strictObject({
      questionText: z
        .boolean()
        .default(false)
        .meta({
          description: 'Whether spans carry the text of questions. Rows and prompts are in none.',
          expects: 'true or false',
          examples: [false],
        }),
    })
    .prefault({})
    .meta({ description: 'What operators see.' }),
  operations: operationsSchema,
  retention: retentionSchema,
  slack: z
    .strictObject({
      port: wholeNumber(1, 65_535, {
        unit: 'ports',
        expects: 'the number of a port, from 1 to 65535',
        description: 'Where Slack reaches the bot over HTTP. Not used with Socket Mode.',
        examples: [3000],
      }).default(3000),
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
            'Who may stop the questions of others, and sees and decides in App Home what admins do.',
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
          description:
            'Which workspaces may install the app at /slack/install, where SLACK_CLIENT_ID is set. All others are refused.',
          expects: 'ids of workspaces',
          examples: [['T012AB3CD']],
        }),
      humansChannel: z
        .string()
        .regex(/^[CG][A-Z0-9]+$/)
        .exactOptional()
        .meta({
          description:
            'Where people look at answers that somebody wants looked at. Without it nobody can ask for that.',
          expects: 'the id of a channel that the bot is a member of',
          examples: ['C0123ABCD'],
        }),
    })
    .prefault({})
    .meta({ description: 'How the bot is reached, and how much it takes on.' }),
})

/** querent.yml after validation, with defaults filled in. */
export type ConfigFile = z.output<typeof configSchema>
