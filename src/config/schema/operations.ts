import { z } from 'zod'

/** A setting that is a whole number within bounds, said in its unit, or as `expects` has it. */
export const wholeNumber = (from: number, to: number, meta: z.GlobalMeta & { unit: string }) => {
  const { unit, expects = `a whole number of ${unit} from ${from} to ${to}`, ...rest } = meta
  return z
    .int()
    .min(from)
    .max(to)
    .meta({ ...rest, expects })
}

/** Where operators look. */
export const operationsSchema = z
  .strictObject({
    port: wholeNumber(0, 65_535, {
      unit: 'ports',
      expects: 'the number of a port, or 0',
      description: 'Where `/healthz`, `/readyz` and `/metrics` are served. 0: nowhere.',
      examples: [9464],
    }).default(9464),
    host: z
      .string()
      .min(1)
      .default('127.0.0.1')
      .meta({
        description:
          'On which address they are served. In a container: 0.0.0.0. Never where the internet reaches it: nobody is asked who they are.',
        expects: 'an address or a name of this machine',
        examples: ['127.0.0.1'],
      }),
  })
  .prefault({})
  .meta({ description: 'Health checks and metrics.' })

const MAX_DAYS = 36_500

const days = (of: string, byDefault: number, from = 0) =>
  wholeNumber(from, MAX_DAYS, {
    unit: 'days',
    description: `How long ${of}${from === 0 ? '. 0: for ever.' : '.'}`,
    examples: [byDefault],
  }).default(byDefault)

/** How long what Querent keeps is kept. */
export const retentionSchema = z
  .strictObject({
    questionDays: days(
      'a question is kept after its last change, with its answer, votes and all that hangs on it',
      365,
    ),
    resultDays: days('rows of results, and how questions were worked on, are kept', 7, 1),
    usageDays: days('what models cost is kept, by person and day', 730),
    auditDays: days('the record of statements is kept', 365),
    digestRunDays: days('runs of digests are kept', 90),
  })
  .prefault({})
  .meta({
    description:
      'How long what Querent keeps is kept. Verified queries, rules of the glossary and what selectors learned stay.',
  })

const MAX_RATE = 1_000_000

const rateLimit = (what: string, unit: string, byDefault: number) =>
  wholeNumber(0, MAX_RATE, {
    unit,
    description: `The most ${what}. 0: no limit.`,
    examples: [byDefault],
  }).default(byDefault)

/** How much may be asked in how short a time. */
export const rateLimitsSchema = z
  .strictObject({
    personPerMinute: rateLimit('questions of one person in a minute', 'questions', 20),
    personPerHour: rateLimit('questions of one person in an hour', 'questions', 200),
    teamPerMinute: rateLimit('questions of a whole workspace in a minute', 'questions', 300),
    teamPerHour: rateLimit('questions of a whole workspace in an hour', 'questions', 3_000),
    buttonsPerMinute: rateLimit(
      'clicks of one person in a minute that run something or ask people for something',
      'clicks',
      60,
    ),
  })
  .prefault({})
  .meta({
    description:
      'How much may be asked in how short a time. What is over a limit is not stored, and its author is told alone when to ask again. Limits of one person do not hold for admins.',
  })

const MAX_DIGESTS = 100_000

const digestLimit = (whose: string, byDefault: number) =>
  wholeNumber(0, MAX_DIGESTS, {
    unit: 'digests',
    description: `The most digests ${whose}, those that rest included. 0: no limit.`,
    examples: [byDefault],
  }).default(byDefault)

/** How many digests there may be. */
export const digestsSchema = z
  .strictObject({
    perPerson: digestLimit('of one person', 50),
    perChannel: digestLimit('that go to one channel', 50),
  })
  .prefault({})
  .meta({
    description:
      'How many digests there may be. What is there already stays. The limit of one person does not hold for admins.',
  })

/** How the selector learns from what people do about answers. */
export const selectionSchema = z
  .strictObject({
    learning: z
      .strictObject({
        enabled: z
          .boolean()
          .default(true)
          .meta({
            description:
              'Whether a challenger is trained every night on what people did about answers, and used if it is better. Votes are kept either way.',
            expects: 'true or false',
            examples: [true],
          }),
        minimumVotes: wholeNumber(20, 1_000_000, {
          unit: 'votes',
          description:
            'Nothing is learned from fewer votes and other deeds than this; of one person no more than 20 count.',
          examples: [100],
        }).default(100),
        hour: wholeNumber(0, 23, {
          unit: 'hours',
          description: 'At which hour of the day it is trained, in `timeZone`.',
          examples: [3],
        }).default(3),
      })
      .prefault({})
      .meta({ description: 'What is learned from votes, and when.' }),
  })
  .prefault({})
  .meta({ description: 'How one answer is chosen among several results.' })
