import { z } from 'zod'
import { makeRedact } from '../lib/redact.ts'

/**
 * Why a request failed. `rate-limited` is a 429 that waiting can fix, `quota-spent` one that it cannot; `rejected` is
 * any other 4xx; `unreadable` is a success whose body is not what an OpenAI-compatible endpoint sends; `resting` was
 * not sent, because the last requests to the model failed.
 */
export type CallFailureKind =
  | 'rate-limited'
  | 'quota-spent'
  | 'server-error'
  | 'timed-out'
  | 'unreachable'
  | 'rejected'
  | 'unreadable'
  | 'resting'

/** Details of a failure. `param` is the field of the request that the endpoint complained about, if it named one. */
export interface CallFailureFacts {
  readonly kind: CallFailureKind
  readonly status: number | null
  readonly code: string | null
  readonly param: string | null
  /** How long the endpoint asked us to wait. */
  readonly retryAfterMs: number | null
}

/** A failed request. The message is the endpoint's own, without secrets and cut to a readable length. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  readonly facts: CallFailureFacts
  readonly #said: string

  constructor(message: string, facts: CallFailureFacts, said = message) {
    super(message)
    this.facts = facts
    this.#said = said
  }

  /** All that the endpoint said, which may quote the prompt: for finding names of fields in it, never for people or logs. */
  get said(): string {
    return this.#said
  }
}

/** What an endpoint sent instead of a reply. */
export interface ErrorResponse {
  readonly status: number
  readonly body: string
}

/**
 * Turns anything that the client threw into a `CallFailure`. Status and code decide, never the words of a message.
 * `response` is what the endpoint sent, if that is known: clients drop the message of one that is not in OpenAI's
 * shape, and LangChain's drops the status of one about the length of the prompt.
 */
export const classifyFailure = (
  error: unknown,
  context: {
    readonly secrets: readonly string[]
    readonly now: Date
    readonly response?: ErrorResponse | null
  },
): CallFailure => {
  const sent = readErrorBody(context.response?.body ?? bodyIn(error))
  const facts = {
    status: numberOf(error, 'status') ?? context.response?.status ?? numberOf(causeOf(error), 'status'),
    code: nameOrNull(stringOf(error, 'code')) ?? sent?.code ?? null,
    param: nameOrNull(stringOf(error, 'param')) ?? sent?.param ?? null,
  }
  const headers: unknown = readField(error, 'headers')
  const kind = kindOf(error, facts.status, facts.code)
  const own = kind === 'unreachable' ? innermostMessage(error) : messageOf(error)
  const message = sent?.message ?? withoutAdvice(own)
  const retryAfterMs = headers instanceof Headers ? readRetryAfter(headers, context.now) : null
  return new CallFailure(redactMessage(message, context.secrets), { ...facts, kind, retryAfterMs }, message)
}

const kindOf = (error: unknown, status: number | null, code: string | null): CallFailureKind => {
  if (status === 429) return code === 'insufficient_quota' ? 'quota-spent' : 'rate-limited'
  // 408 and 409 (a lock on the server) are the two 4xx that may not happen on the next try.
  if (status !== null) return status >= 500 || status === 408 || status === 409 ? 'server-error' : 'rejected'
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) {
    return 'timed-out'
  }
  return 'unreachable'
}

/** The clients of other providers put the body into their message, after the status. */
const bodyIn = (error: unknown): string => messageOf(error).replace(/^\d{3}\s+/, '')

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** "Connection error." says nothing; the socket's own message is a few causes deeper. */
const innermostMessage = (error: unknown): string => {
  let deepest = error
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause
  return messageOf(deepest) || (stringOf(deepest, 'code') ?? messageOf(error))
}

/** LangChain appends a link to its own troubleshooting pages; ours say what to check in Querent. */
const withoutAdvice = (message: string): string => message.split('\n\nTroubleshooting URL:')[0] ?? message

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined)

const readField = (error: unknown, field: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, field) : undefined

const numberOf = (error: unknown, field: string): number | null => {
  const value = readField(error, field)
  return typeof value === 'number' ? value : null
}

const stringOf = (error: unknown, field: string): string | null => {
  const value = readField(error, field)
  return typeof value === 'string' ? value : null
}

/**
 * How long an endpoint asks us to wait, in milliseconds, or null if it does not say. `retry-after-ms` is the finer
 * form of OpenAI and Azure; `retry-after` is seconds or an HTTP date (RFC 9110, section 10.2.3).
 */
export const readRetryAfter = (headers: Headers, now: Date): number | null => {
  const fine = numberIn(headers.get('retry-after-ms'))
  if (fine !== null) return fine
  const coarse = headers.get('retry-after')
  const seconds = numberIn(coarse)
  if (seconds !== null) return seconds * 1000
  const date = coarse === null ? Number.NaN : Date.parse(coarse)
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime())
}

const numberIn = (text: string | null): number | null => {
  if (text === null || text.trim() === '') return null
  const value = Number(text)
  return Number.isFinite(value) && value >= 0 ? value : null
}

/** What an endpoint says about a request that it turned away. `param` is the field it complains about. */
interface ErrorBody {
  readonly message: string
  readonly code: string | null
  readonly param: string | null
}

const text = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .catch(null)

const described = z.object({ message: z.string().min(1), code: text, param: text })

/** FastAPI's list of what is wrong with a request, as vLLM's and Mistral's servers send it. */
const invalidFields = z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() }))

/**
 * Reads the body of an error. There is no standard: OpenAI, Azure, LiteLLM and Anthropic put an object under `error`,
 * Ollama a text, Google sends a list of one, vLLM has the message at the top, and FastAPI under `detail`. Null if it is
 * none of these.
 */
const readErrorBody = (body: string): ErrorBody | null => {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return null
  }
  return readError(Array.isArray(json) ? json[0] : json)
}

const readError = (json: unknown): ErrorBody | null => {
  if (typeof json === 'string') return json === '' ? null : { message: json, code: null, param: null }
  if (typeof json !== 'object' || json === null) return null
  if ('error' in json && json.error) return readError(json.error)
  if ('detail' in json) return readDetail(json.detail)
  const read = described.safeParse(json).data
  return read ? { message: read.message, code: nameOrNull(read.code), param: nameOrNull(read.param) } : null
}

const readDetail = (detail: unknown): ErrorBody | null => {
  const fields = invalidFields.safeParse(detail).data
  if (fields === undefined) return readError(detail)
  const message = fields.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')
  return message === '' ? null : { message, code: null, param: null }
}

/** Proxies written in Python send the word `None` for a field they know nothing about. */
const nameOrNull = (name: string | null | undefined): string | null => (name && name !== 'None' ? name : null)

const maxMessageLength = 300

/**
 * Makes a text safe for logs and people: without the given secrets or anything that looks like a key, cut to 300
 * characters.
 */
export const redactMessage = (text: string, secrets: readonly string[]): string => {
  const without = redactSecrets(text, secrets).replace(/\s+/g, ' ').trim()
  return without.length > maxMessageLength ? `${without.slice(0, maxMessageLength)}…` : without
}

/** Removes the given secrets and anything that looks like one from a text; the rest is unchanged. */
export const redactSecrets = (text: string, secrets: readonly string[]): string => makeRedact(secrets)(text)

/** Removes secrets from every text in a value. */
export const redactDeep = (value: unknown, secrets: readonly string[]): unknown => {
  if (typeof value === 'string') return redactSecrets(value, secrets)
  if (Array.isArray(value)) return value.map(item => redactDeep(item, secrets))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, redactDeep(part, secrets)]))
}
