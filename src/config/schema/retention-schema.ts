import { z } from 'zod'
import { wholeNumber } from './whole-number.ts'

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
