import { z } from 'zod'
import { amount } from './models-schema.ts'
import { wholeNumber } from './whole-number.ts'

const MAX_BUDGET = 1_000_000_000_000

const tokens = (description: string, example: number) =>
  wholeNumber(1, MAX_BUDGET, {
    unit: 'tokens',
    description: `${description} Without it: no limit.`,
    examples: [example],
  }).exactOptional()

const money = (description: string, example: number) =>
  amount.exactOptional().meta({
    description: `${description} by the prices under \`models\`. Without it: no limit.`,
    expects: 'an amount of money from 0',
    examples: [example],
  })

const rows = (description: string, example: number) =>
  wholeNumber(1, MAX_BUDGET, {
    unit: 'rows',
    description: `${description} Without it: no limit.`,
    examples: [example],
  }).exactOptional()

const seconds = (description: string, example: number) =>
  wholeNumber(1, 1_000_000_000, {
    unit: 'seconds',
    description: `${description} Without it: no limit.`,
    examples: [example],
  }).exactOptional()

/** What models and databases may be used for one question, by one person, in one channel and on one day. */
export const budgetSchema = z
  .strictObject({
    modelCallsPerQuestion: wholeNumber(1, 1000, {
      unit: 'calls',
      description: 'The most model calls for one question.',
      examples: [30],
    }).default(30),
    tokensPerQuestion: wholeNumber(1000, 10_000_000, {
      unit: 'tokens',
      description: 'The most tokens for one question, prompts and replies together.',
      examples: [200_000],
    }).default(200_000),
    modelTimePerQuestionMs: wholeNumber(1000, 3_600_000, {
      unit: 'milliseconds',
      description: 'How long one question may wait for models, all of its calls together.',
      examples: [180_000],
    }).default(180_000),
    moneyPerQuestion: money('The most money for one question,', 0.5),
    tokensPerUserPerDay: tokens("The most tokens for one person's questions in a day.", 2_000_000),
    moneyPerUserPerDay: money("The most money for one person's questions in a day,", 5),
    tokensPerChannelPerDay: tokens("The most tokens for one channel's questions in a day.", 5_000_000),
    moneyPerChannelPerDay: money("The most money for one channel's questions in a day,", 10),
    tokensPerDay: tokens('The most tokens for all questions in a day.', 20_000_000),
    moneyPerDay: money('The most money for all questions in a day,', 20),
    rowsPerQuestion: rows('The most rows read from databases for one question.', 200_000),
    secondsPerQuestion: seconds('How long statements may run for one question, all together.', 300),
    rowsPerUserPerDay: rows('The most rows read from databases for one person in a day.', 5_000_000),
    secondsPerUserPerDay: seconds('How long statements may run for one person in a day.', 1800),
    rowsPerChannelPerDay: rows('The most rows read from databases for one channel in a day.', 10_000_000),
    secondsPerChannelPerDay: seconds('How long statements may run for one channel in a day.', 3600),
    rowsPerDay: rows('The most rows read from databases for everybody in a day.', 50_000_000),
    secondsPerDay: seconds('How long statements may run for everybody in a day.', 14_400),
  })
  .prefault({})
  .meta({ description: 'What one question, one person, one channel and one day may cost.' })
