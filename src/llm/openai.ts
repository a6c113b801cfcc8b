import { ChatOpenAI } from '@langchain/openai'
import { z } from 'zod'
import { CallFailure, classifyFailure, type ErrorResponse } from './call-failure.ts'
import type { CallModel, ModelCall, ModelConnection, RawReply } from './call-model.ts'
import { toLangchainMessage } from './provider-model.ts'

export const openAiBaseUrl = 'https://api.openai.com/v1'

/** The client requires a key; endpoints without keys (vLLM, Ollama) ignore this one. */
const placeholderKey = 'no-key'

/**
 * Calls models through LangChain's client for OpenAI-compatible endpoints. It sends one request only: retries are
 * made by `withRetries`, so that they are counted, budgeted and stopped in one place.
 */
export const makeOpenAi =
  (connection: ModelConnection, now: () => Date = () => new Date()): CallModel =>
  async call => {
    const tap = makeReplyRecorder()
    try {
      await makeClient(connection, call, tap.fetch).invoke(call.messages.map(toLangchainMessage), {
        signal: call.signal,
        ...(call.format ? { response_format: asResponseFormat(call.format) } : {}),
      })
    } catch (error) {
      // A reply that arrived counts, even if the client cannot parse its JSON.
      if (!tap.answered()) {
        const context = { secrets: [connection.apiKey ?? ''], now: now(), response: tap.failure() }
        throw classifyFailure(error, context)
      }
    }
    const reply = tap.reply()
    if (reply) return reply
    throw new CallFailure('the reply is not a chat completion', {
      kind: 'unreadable',
      status: null,
      code: null,
      param: null,
      retryAfterMs: null,
    })
  }

/** A client is cheap to make (connections are pooled by the runtime), and each request needs its own recorder. */
const makeClient = (connection: ModelConnection, call: ModelCall, tappedFetch: typeof fetch): ChatOpenAI =>
  new ChatOpenAI({
    model: call.model,
    apiKey: connection.apiKey ?? placeholderKey,
    timeout: call.timeoutMs,
    maxRetries: 0,
    ...(call.temperature === null ? {} : { temperature: call.temperature }),
    ...limitFields(call),
    configuration: { baseURL: connection.baseUrl ?? openAiBaseUrl, fetch: tappedFetch },
  })

/** The client names the token limit by the model's name, which says nothing about a deployment or a proxy. */
const limitFields = ({ model, maxTokens, limitName = 'usual' }: ModelCall) => {
  if (maxTokens === null) return {}
  if (limitName === 'usual') return { maxTokens }
  const usual = new ChatOpenAI({ model, maxTokens, apiKey: placeholderKey }).invocationParams({})
  const other = 'max_completion_tokens' in usual ? 'max_tokens' : 'max_completion_tokens'
  return { modelKwargs: { [other]: maxTokens } }
}

const asResponseFormat = (format: NonNullable<ModelCall['format']>) => ({
  type: 'json_schema' as const,
  json_schema: { name: format.name, strict: true, schema: { ...format.schema } },
})

const count = z.number().int().nonnegative().nullish()

/** The parts of a chat completion that we read. */
const chatCompletion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: count, completion_tokens: count }).nullish(),
})

/**
 * The parts that we read of a reply of the Responses API, which the client uses for models without chat completions.
 */
const response = z.object({
  output: z.array(
    z.object({
      content: z.array(z.object({ text: z.string().optional(), refusal: z.string().optional() })).nullish(),
    }),
  ),
  status: z.string().nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
  usage: z.object({ input_tokens: count, output_tokens: count }).nullish(),
})

/** A `fetch` that records what an endpoint sends. */
interface ReplyRecorder {
  readonly fetch: typeof globalThis.fetch
  /** The reply of the last successful request; null if there was none or its body cannot be read. */
  readonly reply: () => RawReply | null
  /** Whether a request succeeded at all. */
  readonly answered: () => boolean
  /** How the endpoint turned the last request away; null if it did not. */
  readonly failure: () => ErrorResponse | null
}

/**
 * Records one request. When JSON is malformed or cut off, the client throws away the text that a repair needs and the
 * tokens that were paid for, so both are read from the response itself.
 */
const makeReplyRecorder = (): ReplyRecorder => {
  let body: string | null = null
  let failure: ErrorResponse | null = null
  return {
    fetch: async (input, init) => {
      const received = await fetch(input, init)
      const { status, statusText, headers } = received
      const text = await received.text()
      if (received.ok) body = text
      else failure = { status, body: text }
      return new Response(text, { status, statusText, headers })
    },
    reply: () => (body === null ? null : readBody(body)),
    answered: () => body !== null,
    failure: () => failure,
  }
}

const readBody = (body: string): RawReply | null => {
  const json = parseJson(body)
  return readChatCompletion(json) ?? readResponse(json)
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const readChatCompletion = (json: unknown): RawReply | null => {
  const read = chatCompletion.safeParse(json)
  const choice = read.data?.choices[0]
  if (!read.success || !choice) return null
  return {
    text: choice.message.content ?? '',
    refusal: choice.message.refusal ?? null,
    cutOff: choice.finish_reason === 'length',
    promptTokens: read.data.usage?.prompt_tokens ?? 0,
    completionTokens: read.data.usage?.completion_tokens ?? 0,
  }
}

const readResponse = (json: unknown): RawReply | null => {
  const read = response.safeParse(json)
  if (!read.success) return null
  const parts = read.data.output.flatMap(item => item.content ?? [])
  return {
    text: parts.map(part => part.text ?? '').join(''),
    refusal: parts.find(part => part.refusal)?.refusal ?? null,
    cutOff: read.data.status === 'incomplete' && read.data.incomplete_details?.reason !== 'content_filter',
    promptTokens: read.data.usage?.input_tokens ?? 0,
    completionTokens: read.data.usage?.output_tokens ?? 0,
  }
}
