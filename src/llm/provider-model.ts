import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages'
import { initChatModel, MODEL_PROVIDER_CONFIG } from 'langchain/chat_models/universal'
import { z } from 'zod'
import { QuerentError } from '../domain/errors.ts'
import { classifyFailure } from './call-failure.ts'
import type { CallModel, ChatMessage, ModelCall, ModelEndpoint, RawReply } from './call-model.ts'

/**
 * Calls a model whose provider does not offer OpenAI's chat completions, through LangChain's package for it. No
 * schema is sent, since each provider takes it differently; the prompts say in words what JSON is wanted. It sends
 * one request only, as for every model.
 */
export const makeProviderModel =
  (endpoint: ModelEndpoint, now: () => Date = () => new Date()): CallModel =>
  async call => {
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(call.timeoutMs)])
    try {
      const client = await initChatModel(call.model, clientFields(endpoint, call))
      // Some packages do not pass the signal on to the request, and we must not wait for them.
      const reply = await unlessAborted(
        client.invoke(
          call.messages.map(message => toProviderMessage(message, call)),
          { signal },
        ),
        signal,
      )
      return readMessage(reply)
    } catch (error) {
      throw classifyFailure(error, { secrets: [endpoint.apiKey ?? ''], now: now() })
    }
  }

const clientFields = ({ provider, apiKey, baseUrl }: ModelEndpoint, call: ModelCall) => ({
  modelProvider: provider,
  maxRetries: 0,
  ...(apiKey === null ? {} : { apiKey }),
  ...(call.temperature === null || call.capabilities?.temperature === false
    ? {}
    : { temperature: call.temperature }),
  ...(call.maxTokens === null || call.capabilities?.tokenLimit === 'none'
    ? {}
    : { maxTokens: call.maxTokens }),
  ...(baseUrl === null ? {} : addressFields(baseUrl)),
})

/** The packages name the address differently; each uses its own field and ignores the others. */
const addressFields = (baseUrl: string) => ({
  baseUrl,
  anthropicApiUrl: baseUrl,
  serverURL: baseUrl,
  configuration: { baseURL: baseUrl },
})

/** A system message may carry a mark for the prompt cache, which Anthropic's package passes on. */
const toProviderMessage = (message: ChatMessage, { capabilities }: ModelCall): BaseMessage => {
  const isMarked = message.endsPrefix && message.role === 'system' && capabilities?.cacheControl
  if (!isMarked) return toLangchainMessage(message)
  const text = { type: 'text', text: message.content, cache_control: { type: 'ephemeral' } }
  return new SystemMessage({ content: [text] })
}

const unlessAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    signal.throwIfAborted()
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** The parts of a message that we read; each provider's package fills in other ones. */
const providerMessage = z.object({
  usage_metadata: z
    .object({
      input_tokens: z.number(),
      output_tokens: z.number(),
      input_token_details: z.object({ cache_read: z.number().nullish() }).nullish().catch(null),
      output_token_details: z.object({ reasoning: z.number().nullish() }).nullish().catch(null),
    })
    .nullish()
    .catch(null),
  response_metadata: z
    .object({ stop_reason: z.unknown(), finish_reason: z.unknown(), finishReason: z.unknown() })
    .partial()
    .nullish()
    .catch(null),
})

/** Providers' words for "the token limit was reached". */
const limitReached: ReadonlySet<unknown> = new Set(['length', 'max_tokens', 'MAX_TOKENS', 'model_length'])

const readMessage = (message: BaseMessage): RawReply => {
  const { usage_metadata: usage, response_metadata: ending } = providerMessage.parse(message)
  const cachedTokens = usage?.input_token_details?.cache_read
  const reasoningTokens = usage?.output_token_details?.reasoning
  return {
    text: message.text,
    refusal: null,
    cutOff: [ending?.stop_reason, ending?.finish_reason, ending?.finishReason].some(reason =>
      limitReached.has(reason),
    ),
    promptTokens: usage?.input_tokens ?? 0,
    completionTokens: usage?.output_tokens ?? 0,
    ...(typeof cachedTokens === 'number' ? { cachedTokens } : {}),
    ...(typeof reasoningTokens === 'number' ? { reasoningTokens } : {}),
  }
}

/**
 * Checks that LangChain knows a provider and that its package is installed. Throws `bad-configuration`, naming what to
 * install.
 */
export const checkProvider = async ({ provider, model, name = model }: ModelEndpoint): Promise<void> => {
  const known: Readonly<Record<string, { readonly package: string }>> = MODEL_PROVIDER_CONFIG
  const found = Object.hasOwn(known, provider) ? known[provider] : undefined
  if (!found)
    throw wrongEndpoint(name, `there is no provider ${provider}; known: ${Object.keys(known).join(', ')}`)
  try {
    await import(found.package)
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND'
    const why = isMissing ? 'is not installed' : 'cannot be loaded'
    throw wrongEndpoint(
      name,
      `the provider ${provider} needs the package ${found.package}, which ${why}; run: npm install ${found.package}`,
      cause,
    )
  }
}

const wrongEndpoint = (name: string, what: string, cause?: unknown): QuerentError =>
  new QuerentError('bad-configuration', `models.endpoints.${name}: ${what}`, { cause })

/** One turn as LangChain's clients take it. */
export const toLangchainMessage = ({
  role,
  content,
}: ChatMessage): SystemMessage | HumanMessage | AIMessage => {
  switch (role) {
    case 'system':
      return new SystemMessage(content)
    case 'user':
      return new HumanMessage(content)
    case 'assistant':
      return new AIMessage(content)
    default: {
      const never: never = role
      throw new Error(`unknown role ${never}`)
    }
  }
}
