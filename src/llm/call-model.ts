import type { ModelConnection } from './openai.ts'

/** One turn of the conversation sent to a model. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** The JSON schema of a reply, with a name that the endpoint may show in its logs. */
export interface ReplyFormat {
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
}

/**
 * One request, which fails after `timeoutMs` or when the signal fires. A `format`, `temperature` or `maxTokens` that is
 * null is left out, for endpoints that reject it.
 */
export interface ModelCall {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly format: ReplyFormat | null
  readonly temperature: number | null
  readonly maxTokens: number | null
  /** OpenAI's API has two names for the token limit: the one that is usual for such a model (default), or the other. */
  readonly limitName?: 'usual' | 'other'
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/**
 * A reply as the endpoint sent it. Tokens are the endpoint's own counts, or 0 if it sent none. `cutOff` says that the
 * reply reached a token limit; `refusal` is the model's own text if it would not answer.
 */
export interface RawReply {
  readonly text: string
  readonly refusal: string | null
  readonly cutOff: boolean
  readonly promptTokens: number
  readonly completionTokens: number
}

/** Sends one request, once. Throws `CallFailure`. */
export type CallModel = (call: ModelCall) => Promise<RawReply>

/** Where one model is, and what it is called there. */
export interface ModelEndpoint extends ModelConnection {
  /** LangChain's name of the provider; `openai` is every endpoint with OpenAI's chat completions. */
  readonly provider: string
  readonly model: string
}

/** Models with an endpoint of their own, by the names that roles use. */
export type ModelEndpoints = Readonly<Record<string, Omit<ModelEndpoint, 'name'>>>

export type FindEndpoint = (model: string) => ModelEndpoint

/**
 * Finds where a model is: at its own endpoint, else at the environment's. The environment's key is sent to the
 * environment's address only; an endpoint with another address or provider gets no key but its own.
 */
export const makeFindEndpoint =
  (connection: ModelConnection, endpoints: ModelEndpoints = {}): FindEndpoint =>
  model => {
    const own = Object.hasOwn(endpoints, model) ? endpoints[model] : undefined
    if (!own) return { ...connection, provider: 'openai', model }
    if (own.provider !== 'openai' || own.baseUrl !== null) return { ...own, name: model }
    return { ...own, name: model, baseUrl: connection.baseUrl, apiKey: own.apiKey ?? connection.apiKey }
  }
