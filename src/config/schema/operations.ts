import { z } from 'zod'

/** A setting that is a whole number within bounds. `expects` replaces the text made from the unit. */
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
      description: 'The port of `/healthz`, `/readyz` and `/metrics`. 0: none.',
      examples: [9464],
    }).default(9464),
    host: z
      .string()
      .min(1)
      .default('127.0.0.1')
      .meta({
        description:
          'The address to listen on for them. In a container: 0.0.0.0. Do not expose it to the internet, since it needs no login.',
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
    description: `How long ${of}${from === 0 ? '. 0: forever.' : '.'}`,
    examples: [byDefault],
  }).default(byDefault)

/** How long Querent keeps data. */
export const retentionSchema = z
  .strictObject({
    questionDays: days(
      'a question is kept after its last change, with its answer, votes and all related data',
      365,
    ),
    resultDays: days('rows of results and traces are kept', 7, 1),
    usageDays: days('the usage of models is kept, by person and day', 730),
    auditDays: days('the audit log is kept', 365),
    digestRunDays: days('runs of digests are kept', 90),
  })
  .prefault({})
  .meta({
    description: 'How long Querent keeps data. Verified queries, glossary rules and trained selectors stay.',
  })

const MAX_RATE = 1_000_000

const rateLimit = (what: string, unit: string, byDefault: number) =>
  wholeNumber(0, MAX_RATE, {
    unit,
    description: `${what}. 0: no limit.`,
    examples: [byDefault],
  }).default(byDefault)

/** How often people may ask. */
export const rateLimitsSchema = z
  .strictObject({
    personPerMinute: rateLimit('Questions of one person per minute', 'questions', 20),
    personPerHour: rateLimit('Questions of one person per hour', 'questions', 200),
    teamPerMinute: rateLimit('Questions of a whole workspace per minute', 'questions', 300),
    teamPerHour: rateLimit('Questions of a whole workspace per hour', 'questions', 3_000),
    buttonsPerMinute: rateLimit(
      'Clicks of one person per minute that run a statement or ask people for a review',
      'clicks',
      60,
    ),
  })
  .prefault({})
  .meta({
    description:
      'How often people may ask. A question over a limit is not stored; only its author sees when to ask again. Limits of one person do not apply to admins.',
  })

const MAX_DIGESTS = 100_000

const digestLimit = (whose: string, byDefault: number) =>
  wholeNumber(0, MAX_DIGESTS, {
    unit: 'digests',
    description: `Digests ${whose}, paused ones included. 0: no limit.`,
    examples: [byDefault],
  }).default(byDefault)

/** How many digests there may be. */
export const digestsSchema = z
  .strictObject({
    perPerson: digestLimit('of one person', 50),
    perChannel: digestLimit('in one channel', 50),
  })
  .prefault({})
  .meta({
    description:
      'How many digests there may be. Existing ones stay. The limit of one person does not apply to admins.',
  })

/** How the selector learns from the feedback of people. */
export const selectionSchema = z
  .strictObject({
    learning: z
      .strictObject({
        enabled: z
          .boolean()
          .default(true)
          .meta({
            description:
              'Whether a selector is trained every night on the feedback of people, and used if it is better. Votes are kept either way.',
            expects: 'true or false',
            examples: [true],
          }),
        minimumVotes: wholeNumber(20, 1_000_000, {
          unit: 'votes',
          description: 'The votes and other signals that training needs. At most 20 of one person count.',
          examples: [100],
        }).default(100),
        hour: wholeNumber(0, 23, {
          unit: 'hours',
          description: 'The hour of the day when training starts, in `timeZone`.',
          examples: [3],
        }).default(3),
      })
      .prefault({})
      .meta({ description: 'Training on votes.' }),
  })
  .prefault({})
  .meta({ description: 'How one answer is chosen among several results.' })
