import { ChatOpenAICompletions, ChatOpenAIResponses } from '@langchain/openai'
import { z } from 'zod'
import type { ModelCapabilities } from '../domain/operations/model-capabilities.ts'
import { CallFailure, classifyFailure, type ErrorResponse } from './call-failure.ts'
import type { CallModel, ChatMessage, ModelCall, ModelConnection, RawReply } from './call-model.ts'
import { clientFields } from './endpoint-address.ts'
import { knownCapabilities } from './known-models.ts'
import { toLangchainMessage } from './provider-model.ts'
import { limitOf } from './read-rejection.ts'

/**
 * Calls models through LangChain's clients for OpenAI-compatible endpoints. It sends one request only: retries are
 * made by `withRetries`, so that they are counted, budgeted and stopped in one place.
 */
export const makeOpenAi =
  (connection: ModelConnection, now: () => Date = () => new Date()): CallModel =>
  async call => {
    const tap = makeReplyRecorder()
    try {
      await makeClient(connection, call, tap.fetch).invoke(call.messages.map(toLangchainMessage), {
        signal: call.signal,
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

/**
 * A client is cheap to make (connections are pooled by the runtime), and each request needs its own recorder. The
 * clients choose fields by the model's name, which says nothing about a deployment, a proxy or a local model, so each is
 * given the whole request.
 */
const makeClient = (
  connection: ModelConnection,
  call: ModelCall,
  tappedFetch: typeof fetch,
): ChatOpenAICompletions | ChatOpenAIResponses => {
  const { apiKey, configuration } = clientFields(connection, tappedFetch)
  const fields = {
    model: call.model,
    apiKey,
    timeout: call.timeoutMs,
    maxRetries: 0,
    configuration,
  }
  const able =
    call.capabilities ?? knownCapabilities({ ...connection, provider: 'openai', model: call.model })
  const isChat = able.api === 'chat'
  const body = isChat ? chatBody(call, able) : responsesBody(call, able)
  const client = isChat ? new ChatOpenAICompletions(fields) : new ChatOpenAIResponses(fields)
  const send = client.completionWithRetry.bind(client) as (body: unknown, options: unknown) => unknown
  const { messages: _messages, input: _input, ...params } = body
  return Object.assign(client, {
    // What tracing shows of a request.
    invocationParams: () => params,
    completionWithRetry: (_request: unknown, options: unknown) => send(body, options),
  })
}

/** A request to chat completions. */
const chatBody = (call: ModelCall, able: ModelCapabilities): Record<string, unknown> => ({
  model: call.model,
  messages: call.messages.map(({ role, content, endsPrefix }) => ({
    role,
    content:
      endsPrefix && able.cacheControl
        ? [{ type: 'text', text: content, cache_control: { type: 'ephemeral' } }]
        : content,
  })),
  stream: false,
  ...temperatureOf(call, able),
  ...(limitOf(call, able) === null ? {} : { [able.tokenLimit]: limitOf(call, able) }),
  ...(call.effort && able.effort ? { reasoning_effort: call.effort } : {}),
  ...chatFormat(call, able),
})

const chatFormat = ({ format }: ModelCall, able: ModelCapabilities) => {
  if (format === null || able.format === 'none') return {}
  if (able.format === 'json_object') return { response_format: { type: 'json_object' } }
  return {
    response_format: {
      type: 'json_schema',
      json_schema: { name: format.name, strict: true, schema: { ...format.schema } },
    },
  }
}

/** A request to the Responses API. Nothing is stored there: a question is asked once and never continued. */
const responsesBody = (call: ModelCall, able: ModelCapabilities): Record<string, unknown> => ({
  model: call.model,
  input: call.messages.map(({ role, content }: ChatMessage) => ({ role, content })),
  stream: false,
  store: false,
  ...temperatureOf(call, able),
  ...(limitOf(call, able) === null ? {} : { max_output_tokens: limitOf(call, able) }),
  ...(call.effort && able.effort ? { reasoning: { effort: call.effort } } : {}),
  ...responsesFormat(call, able),
})

const responsesFormat = ({ format }: ModelCall, able: ModelCapabilities) => {
  if (format === null || able.format === 'none') return {}
  if (able.format === 'json_object') return { text: { format: { type: 'json_object' } } }
  return {
    text: { format: { type: 'json_schema', name: format.name, strict: true, schema: { ...format.schema } } },
  }
}

const temperatureOf = ({ temperature }: ModelCall, able: ModelCapabilities) =>
  temperature === null || !able.temperature ? {} : { temperature }

const count = z.number().int().nonnegative().nullish()

/** The parts of a chat completion that we read. */
const chatCompletion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          /** A list of parts if the model shows what it thought, as Mistral's do. */
          content: z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]).nullish(),
          refusal: z.string().nullish(),
        }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z
    .object({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: z.object({ cached_tokens: count }).nullish().catch(null),
      completion_tokens_details: z.object({ reasoning_tokens: count }).nullish().catch(null),
      /** Anthropic's name for what came from the cache, and DeepSeek's. */
      cache_read_input_tokens: count,
      prompt_cache_hit_tokens: count,
    })
    .nullish(),
})

/** The parts that we read of a reply of the Responses API. */
const response = z.object({
  output: z.array(
    z.object({
      type: z.string().optional(),
      content: z.array(z.object({ text: z.string().optional(), refusal: z.string().optional() })).nullish(),
    }),
  ),
  status: z.string().nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
  usage: z
    .object({
      input_tokens: count,
      output_tokens: count,
      input_tokens_details: z.object({ cached_tokens: count }).nullish().catch(null),
      output_tokens_details: z.object({ reasoning_tokens: count }).nullish().catch(null),
    })
    .nullish(),
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
  let gateway: RawReply['gateway']
  return {
    fetch: async (input, init) => {
      const received = await fetch(input, init)
      const { status, statusText, headers } = received
      const text = await received.text()
      if ([...headers.keys()].some(name => name.startsWith('x-litellm-'))) gateway = 'litellm'
      if (received.ok) body = text
      else failure = { status, body: text }
      return new Response(text, { status, statusText, headers })
    },
    reply: () => {
      const read = body === null ? null : readBody(body)
      return read && gateway ? { ...read, gateway } : read
    },
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
  const { usage } = read.data
  return {
    text: textOf(choice.message.content),
    refusal: choice.message.refusal ?? null,
    cutOff: choice.finish_reason === 'length',
    promptTokens: usage?.prompt_tokens ?? 0,
    completionTokens: usage?.completion_tokens ?? 0,
    ...detailCounts(
      usage?.prompt_tokens_details?.cached_tokens ??
        usage?.cache_read_input_tokens ??
        usage?.prompt_cache_hit_tokens,
      usage?.completion_tokens_details?.reasoning_tokens,
    ),
  }
}

const textOf = (
  content: string | readonly { readonly text?: string | undefined }[] | null | undefined,
): string => (typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join(''))

const readResponse = (json: unknown): RawReply | null => {
  const read = response.safeParse(json)
  if (!read.success) return null
  const { usage, output } = read.data
  const parts = output.flatMap(item => (item.type === 'reasoning' ? [] : (item.content ?? [])))
  return {
    text: parts.map(part => part.text ?? '').join(''),
    refusal: parts.find(part => part.refusal)?.refusal ?? null,
    cutOff: read.data.status === 'incomplete' && read.data.incomplete_details?.reason !== 'content_filter',
    promptTokens: usage?.input_tokens ?? 0,
    completionTokens: usage?.output_tokens ?? 0,
    ...detailCounts(
      usage?.input_tokens_details?.cached_tokens,
      usage?.output_tokens_details?.reasoning_tokens,
    ),
  }
}

const detailCounts = (
  cachedTokens: number | null | undefined,
  reasoningTokens: number | null | undefined,
) => ({
  ...(typeof cachedTokens === 'number' ? { cachedTokens } : {}),
  ...(typeof reasoningTokens === 'number' ? { reasoningTokens } : {}),
})
