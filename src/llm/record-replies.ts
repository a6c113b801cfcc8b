import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { QuerentError } from '../domain/errors.ts'
import type { ModelReply, ModelRequest } from '../domain/model.ts'
import type { AskModel } from './ask-model.ts'
import { redactDeep, redactSecrets } from './call-failure.ts'
import { type ModelTasks, settingsFor } from './call-model.ts'
import type { OutputName, OutputOf } from './outputs.ts'

/**
 * Asks, and stores each exchange in the folder for `replayReplies`, one file each; a file of the same request is
 * replaced. Failures are not stored. Throws what asking throws, and `bad-configuration` if the folder cannot be
 * written.
 */
export const recordReplies = (askModel: AskModel, recording: ExchangeFolder): AskModel => {
  const attemptOf = makeCountAttempts()
  return async <Name extends OutputName>(
    request: ModelRequest,
    expected: readonly Name[],
  ): Promise<ModelReply<OutputOf<Name>>> => {
    const asked = askedOf(request, recording)
    const attempt = attemptOf(request, asked)
    const reply = await askModel(request, expected)
    const exchange: RecordedExchange = {
      ...asked,
      attempt,
      reply: redactDeep(reply.value, recording.secrets),
      ...(reply.model !== undefined && reply.model !== asked.model ? { repliedBy: reply.model } : {}),
      usage: { ...reply.usage },
    }
    await storeExchange(join(recording.folder, exchangeFileName(asked, attempt)), exchange, recording.folder)
    return reply
  }
}

/** The file contains questions and rows, so only its owner can read it. */
const storeExchange = async (file: string, exchange: RecordedExchange, folder: string): Promise<void> => {
  const written = `${file}.${randomUUID()}`
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(written, `${JSON.stringify(exchange, null, 2)}\n`, { mode: 0o600 })
    await rename(written, file)
  } catch (cause) {
    throw new QuerentError(
      'bad-configuration',
      `replies cannot be recorded in ${folder}: ${cause instanceof Error ? cause.message : String(cause)}. Set QUERENT_LLM_FOLDER to a folder that can be written, or unset QUERENT_LLM.`,
      { cause },
    )
  }
}

/** Where exchanges are stored, and what must not be in them. */
export interface ExchangeFolder {
  readonly folder: string
  readonly tasks: ModelTasks
  /** Replaced wherever they occur in requests and replies. */
  readonly secrets: readonly string[]
}

/** A request as it is stored: with the name of its model, and without secrets. */
export const askedOf = (request: ModelRequest, { tasks, secrets }: ExchangeFolder): AskedExchange => ({
  role: request.role,
  prompt: request.prompt,
  model: settingsFor(tasks, request.role, request.model).model,
  variables: Object.fromEntries(
    Object.entries(request.variables).map(([name, text]) => [name, redactSecrets(text, secrets)]),
  ),
})

/**
 * The parts of a request that its reply depends on. The wording and settings of prompts are left out, since they may
 * improve.
 */
export interface AskedExchange {
  readonly role: string
  readonly prompt: string
  readonly model: string
  readonly variables: Readonly<Record<string, string>>
}

/** An exchange with a model, as a file of the recording folder holds it. */
export const recordedExchangeSchema = z.object({
  role: z.string(),
  prompt: z.string(),
  model: z.string(),
  /** Counts equal requests of one question, from 0. */
  attempt: z.int().nonnegative(),
  variables: z.record(z.string(), z.string()),
  /** The checked value; its shape depends on the prompt. */
  reply: z.unknown(),
  /** The model that replied, if it was a fallback. */
  repliedBy: z.string().optional(),
  usage: z.looseObject({
    modelCalls: z.number(),
    promptTokens: z.number(),
    completionTokens: z.number(),
    money: z.number().nullable().optional(),
  }),
})

export type RecordedExchange = z.output<typeof recordedExchangeSchema>

/** The file name of an exchange: names for people, a hash of the request, and the attempt. */
export const exchangeFileName = (asked: AskedExchange, attempt: number): string =>
  `${asked.role}-${asked.prompt.replace('/', '.')}-${exchangeKey(asked)}-${attempt}.json`

/** Equal for equal requests, whatever the order of variables. 96 bits are enough for any folder. */
const exchangeKey = ({ role, prompt, model, variables }: AskedExchange): string => {
  const sorted = Object.entries(variables).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([role, prompt, model, sorted]))
    .digest('hex')
    .slice(0, 24)
}

/** Counters kept at a time; a question is over long before so many others have been asked. */
const maxCountedQuestions = 20_000

/**
 * Counts equal requests of one question, from 0. The same question under another id starts at 0 again, so a second
 * process finds what the first one recorded.
 */
export const makeCountAttempts = (): ((request: ModelRequest, asked: AskedExchange) => number) => {
  const counts = new Map<string, number>()
  return ({ questionId = '' }, asked) => {
    const key = `${questionId} ${exchangeKey(asked)}`
    const attempt = counts.get(key) ?? 0
    counts.delete(key)
    counts.set(key, attempt + 1)
    const oldest = counts.keys().next().value
    if (counts.size > maxCountedQuestions && oldest !== undefined) counts.delete(oldest)
    return attempt
  }
}
