import { createHash } from 'node:crypto'
import { z } from 'zod'

/** What was asked, as far as a reply depends on it. Words and settings of prompts do not count: they may get better. */
export interface AskedExchange {
  readonly role: string
  readonly prompt: string
  readonly model: string
  readonly variables: Readonly<Record<string, string>>
}

/** One exchange with a model as a file of the recording folder holds it, secrets blanked. */
export const recordedExchangeSchema = z.object({
  role: z.string(),
  prompt: z.string(),
  model: z.string(),
  /** Which of several like requests of one question it answered, from 0. */
  attempt: z.int().nonnegative(),
  variables: z.record(z.string(), z.string()),
  /** The checked value; its shape is the prompt's. */
  reply: z.unknown(),
  /** Who replied where that was a fallback. */
  repliedBy: z.string().optional(),
  usage: z.looseObject({
    modelCalls: z.number(),
    promptTokens: z.number(),
    completionTokens: z.number(),
    money: z.number().nullable().optional(),
  }),
})

export type RecordedExchange = z.output<typeof recordedExchangeSchema>

/** The file of an exchange: names for a person, a hash of all that was asked, and the attempt. */
export const exchangeFileName = (asked: AskedExchange, attempt: number): string =>
  `${asked.role}-${asked.prompt}-${exchangeKey(asked)}-${attempt}.json`

/** Equal for equal requests, whatever the order of variables. 96 bits: enough for any folder. */
export const exchangeKey = ({ role, prompt, model, variables }: AskedExchange): string => {
  const sorted = Object.entries(variables).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([role, prompt, model, sorted]))
    .digest('hex')
    .slice(0, 24)
}
