import type { z } from 'zod'
import { QuerentError } from '../domain/errors.ts'
import { withoutInvisible } from '../lib/inert-text.ts'
import { type BreakerOf, withBreaker } from './breaker.ts'
import { CallFailure } from './call-failure.ts'
import type {
  CallModel,
  ChatMessage,
  FindEndpoint,
  RawReply,
  ReplyFormat,
  TaskSettings,
} from './call-model.ts'
import { explainFailure } from './explain-failure.ts'
import type { RenderPrompt } from './prompts.ts'
import { type RetryDeps, withRetries } from './retry.ts'

/** One conversation with one of the models that a role may ask. */
interface ModelRequest<T> extends Omit<Conversation<T>, 'model' | 'schemaText'> {
  readonly model: string
  readonly format: ReplyFormat
  readonly settings: TaskSettings
  /** For the whole conversation. */
  readonly timeoutMs: number
  /** Sends one request; usage is counted and fields are adapted to the endpoint. */
  readonly callModel: CallModel
  /** Fires when a person stops the question. */
  readonly signal?: AbortSignal
}

interface AskOneModelDeps {
  readonly renderPrompt: RenderPrompt
  readonly breakerOf: BreakerOf
  readonly findEndpoint: FindEndpoint
  readonly retrying: RetryDeps
}

/**
 * Share of the total time that one request may take: enough for a slow model, and a connection that hangs leaves time
 * for another try.
 */
const requestTimeShare = 0.75

/**
 * Asks one model, with its retries and the repair of a malformed reply. Throws a `QuerentError` that a person can read:
 * `model-failed` when another model may do better, `cancelled` when the signal fired, else what went wrong within.
 */
export const askOneModel = async <T>(ask: ModelRequest<T>, deps: AskOneModelDeps): Promise<T> => {
  const { model, settings, timeoutMs } = ask
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(ask.signal ? [ask.signal] : [])])
  // Timers take whole milliseconds only.
  const requestMs = Math.max(1, Math.floor(timeoutMs * requestTimeShare))
  const isStopped = (): boolean => ask.signal?.aborted ?? false
  const call = withRetries(
    withBreaker(ask.callModel, deps.breakerOf(model), isStopped),
    deps.retrying.now() + timeoutMs,
    deps.retrying,
  )
  const send = (messages: readonly ChatMessage[]): Promise<RawReply> =>
    call({
      model,
      temperature: settings.temperature,
      maxTokens: settings.maxTokens ?? null,
      effort: settings.effort ?? null,
      timeoutMs: requestMs,
      messages,
      format: ask.format,
      signal,
    })
  try {
    return await converse(
      { model, messages: ask.messages, schema: ask.schema, schemaText: JSON.stringify(ask.format.schema) },
      send,
      deps.renderPrompt,
    )
  } catch (error) {
    throw inWords(error, ask, { signal, findEndpoint: deps.findEndpoint })
  }
}

const inWords = (
  error: unknown,
  ask: Pick<ModelRequest<unknown>, 'model' | 'timeoutMs' | 'signal'>,
  { signal, findEndpoint }: { readonly signal: AbortSignal; readonly findEndpoint: FindEndpoint },
): QuerentError => {
  const { model, timeoutMs } = ask
  if (ask.signal?.aborted) {
    return new QuerentError('cancelled', 'The question was stopped.', { cause: ask.signal.reason })
  }
  if (signal.aborted) {
    const message = `${model} gave no usable reply within ${Math.round(timeoutMs) / 1000} s, retries included. Check that it is up, or raise timeoutMs of the model in querent.yml.`
    return new QuerentError('model-failed', message, { cause: error })
  }
  if (error instanceof CallFailure) {
    const connection = findEndpoint(model)
    const message = explainFailure(error, { connection, model, timeoutMs: timeoutMs * requestTimeShare })
    return new QuerentError('model-failed', message, { cause: error })
  }
  if (error instanceof QuerentError) return error
  return new QuerentError('internal', 'Asking the model failed within Querent.', { cause: error })
}

/** The messages of a conversation, and what the reply must be. */
interface Conversation<T> {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly schema: z.ZodType<T>
  /** The same as a JSON schema, for a model that got it wrong. */
  readonly schemaText: string
}

/** A malformed reply is quoted back up to this length. */
const maxQuotedLength = 8_000

/** Asks, and asks once more if the reply is malformed. Throws `model-failed` after that. */
const converse = async <T>(
  conversation: Conversation<T>,
  send: (messages: readonly ChatMessage[]) => Promise<RawReply>,
  renderPrompt: RenderPrompt,
): Promise<T> => {
  const { model, messages, schema, schemaText } = conversation
  const first = await send(messages)
  const read = tryReply(first, schema, model)
  if (read.ok) return read.value
  const repair = renderPrompt('repair-json', { problem: read.problem, schema: schemaText })
  const own = withoutInvisible(first.text).slice(0, maxQuotedLength)
  const quoted = { role: 'assistant' as const, content: own || '(empty)' }
  const reread = tryReply(await send([...messages, quoted, ...repair.messages]), schema, model)
  if (reread.ok) return reread.value
  throw new QuerentError(
    'model-failed',
    `${model} did not return the JSON it was asked for, twice. ${reread.problem}. Choose a model that can follow a JSON schema.`,
  )
}

/** Reads a reply. Throws if asking again would not help. */
const tryReply = <T>(reply: RawReply, schema: z.ZodType<T>, model: string): ReadReply<T> => {
  if (reply.refusal !== null) {
    throw new QuerentError(
      'model-failed',
      `${model} refused: ${reply.refusal.slice(0, 200)}. Ask in other words, or choose another model in querent.yml.`,
    )
  }
  const read = readReply(reply.text, schema)
  if (!read.ok && reply.cutOff) {
    throw new QuerentError(
      'model-failed',
      `The reply of ${model} was cut off at its token limit. Raise or remove maxTokens of the model in querent.yml.`,
    )
  }
  return read
}

/** A reply checked against its schema. `problem` says what is wrong in words that the model can act on. */
type ReadReply<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string }

/**
 * Finds the JSON value in a reply: the whole text, a fenced block, or an object within prose or after a model's
 * reasoning. The first text that fits the schema counts; `problem` is about the likeliest one.
 */
export const readReply = <T>(text: string, schema: z.ZodType<T>): ReadReply<T> => {
  const found = [text.trim(), ...fencedBlocks(text), ...objectsIn(text)].map(part => readJson(part, schema))
  const good = found.find(read => read.ok)
  if (good) return good
  // JSON with the wrong shape says more about the problem than text that is not JSON.
  const shaped = found.find(read => !read.ok && !read.problem.startsWith(notJson))
  return shaped ?? found[0] ?? { ok: false, problem: notJson }
}

const notJson = 'It is not JSON'

const readJson = <T>(text: string, schema: z.ZodType<T>): ReadReply<T> => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return { ok: false, problem: `${notJson}: ${error instanceof Error ? error.message : String(error)}` }
  }
  const read = schema.safeParse(json)
  if (read.success) return { ok: true, value: read.data }
  const issues = read.error.issues.map(issue => `${issue.path.join('.') || 'reply'}: ${issue.message}`)
  return { ok: false, problem: `It does not fit the schema: ${issues.slice(0, 5).join('; ')}` }
}

const fencedBlocks = (text: string): string[] =>
  [...text.matchAll(/```(?:json)?[^\S\n]*\n([\s\S]*?)```/g)].map(found => (found[1] ?? '').trim())

/** At most this many opening braces are tried; each costs one pass over the rest of the reply. */
const maxBraces = 30

/** Outermost `{...}` in the text, the last one first: a model's answer comes after its reasoning. */
const objectsIn = (text: string): string[] => {
  const objects: string[] = []
  let from = 0
  for (let tried = 0; tried < maxBraces; tried++) {
    const start = text.indexOf('{', from)
    if (start === -1) break
    const end = closingBrace(text, start)
    if (end !== -1) objects.push(text.slice(start, end + 1))
    from = (end === -1 ? start : end) + 1
  }
  return objects.reverse()
}

/** The position where the object that opens at `start` closes, ignoring braces within strings; -1 if it does not. */
const closingBrace = (text: string, start: number): number => {
  let depth = 0
  let inString = false
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (inString) {
      if (character === '\\') at++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return at
  }
  return -1
}
