import { z } from 'zod'
import { wholeNumber } from './whole-number.ts'

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
