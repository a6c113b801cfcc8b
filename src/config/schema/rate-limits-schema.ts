import { z } from 'zod'
import { wholeNumber } from './whole-number.ts'

const MOST = 1_000_000

const so = (what: string, unit: string, byDefault: number) =>
  wholeNumber(0, MOST, {
    unit,
    description: `The most ${what}. 0: no limit.`,
    examples: [byDefault],
  }).default(byDefault)

/** How much may be asked in how short a time. */
export const rateLimitsSchema = z
  .strictObject({
    personPerMinute: so('questions of one person in a minute', 'questions', 20),
    personPerHour: so('questions of one person in an hour', 'questions', 200),
    teamPerMinute: so('questions of a whole workspace in a minute', 'questions', 300),
    teamPerHour: so('questions of a whole workspace in an hour', 'questions', 3_000),
    buttonsPerMinute: so(
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
