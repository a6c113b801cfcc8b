import { z } from 'zod'
import { wholeNumber } from './whole-number.ts'

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
