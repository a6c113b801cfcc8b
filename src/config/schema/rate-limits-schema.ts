import { z } from 'zod'
import { wholeNumber } from './whole-number.ts'

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
