import { z } from 'zod'
import { wholeNumber } from './whole-number.ts'

const MOST = 100_000

const so = (whose: string, byDefault: number) =>
  wholeNumber(0, MOST, {
    unit: 'digests',
    description: `The most digests ${whose}, those that rest included. 0: no limit.`,
    examples: [byDefault],
  }).default(byDefault)

/** How many digests there may be. */
export const digestsSchema = z
  .strictObject({
    perPerson: so('of one person', 50),
    perChannel: so('that go to one channel', 50),
  })
  .prefault({})
  .meta({
    description:
      'How many digests there may be. What is there already stays. The limit of one person does not hold for admins.',
  })
