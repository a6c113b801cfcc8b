import { ChatOpenAI } from '@langchain/openai'
import { toLangchainMessage } from './as-message.ts'
import { CallFailure } from './call-failure.ts'
import type { CallModel, ModelCall } from './call-model.ts'
import { classifyFailure } from './classify-failure.ts'
import { makeReplyRecorder } from './reply-tap.ts'

/** Where models are: any OpenAI-compatible endpoint. Without a `baseUrl` it is OpenAI itself. */
export interface ModelConnection {
  readonly apiKey: string | null
  readonly baseUrl: string | null
  /** What it is called under `models.endpoints`; left out for the endpoint of the environment. */
  readonly name?: string
}

export const openAiBaseUrl = 'https://api.openai.com/v1'

/** The client insists on a key; endpoints without keys (vLLM, Ollama) ignore this one. */
const placeholderKey = 'no-key'

/**
 * Calls models through LangChain's client for OpenAI-compatible endpoints. One request each: retries are ours, so
 * that they are counted, budgeted and stopped in one place.
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
      // A reply that arrived is a reply, whatever the client thinks of its JSON.
      if (!tap.answered()) {
        throw classifyFailure(error, { secrets: [connection.apiKey ?? ''], now: now() })
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

/** A client per request: it is a few objects (connections are pooled by the runtime), and the tap is its own. */
const makeClient = (connection: ModelConnection, call: ModelCall, tappedFetch: typeof fetch): ChatOpenAI =>
  new ChatOpenAI({
    model: call.model,
    apiKey: connection.apiKey ?? placeholderKey,
    timeout: call.timeoutMs,
    maxRetries: 0,
    ...(call.temperature === null ? {} : { temperature: call.temperature }),
    ...(call.maxTokens === null ? {} : { maxTokens: call.maxTokens }),
    configuration: { baseURL: connection.baseUrl ?? openAiBaseUrl, fetch: tappedFetch },
  })

const asResponseFormat = (format: NonNullable<ModelCall['format']>) => ({
  type: 'json_schema' as const,
  json_schema: { name: format.name, strict: true, schema: { ...format.schema } },
})
