import type { ModelConnection } from './openai.ts'

/** One turn of the conversation sent to a model. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** What the reply must look like: a JSON schema under a name that the endpoint may show in its logs. */
export interface ReplyFormat {
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
}

/** One request, given up on after `timeoutMs` or when the signal fires. `format: null` and `temperature: null` leave the field out, for endpoints that reject it. */
export interface ModelCall {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly format: ReplyFormat | null
  readonly temperature: number | null
  readonly maxTokens: number | null
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/**
 * A reply as the endpoint sent it. Tokens are the endpoint's own counts, 0 where it sent none. `cutOff` says that
 * the reply ended at a token limit; `refusal` is the model's own words when it would not answer.
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
  /** LangChain's name of who serves it; `openai` is every endpoint that speaks OpenAI's chat completions. */
  readonly provider: string
  readonly model: string
}

/** Endpoints of their own, by the names that roles use. */
export type ModelEndpoints = Readonly<Record<string, Omit<ModelEndpoint, 'name'>>>

export type FindEndpoint = (model: string) => ModelEndpoint

/**
 * Where a model is: at its own endpoint, else where the environment says. The environment's key goes to its own address
 * alone: an endpoint that names another address, or another provider, gets no key but its own.
 */
export const makeFindEndpoint =
  (connection: ModelConnection, endpoints: ModelEndpoints = {}): FindEndpoint =>
  model => {
    const own = Object.hasOwn(endpoints, model) ? endpoints[model] : undefined
    if (!own) return { ...connection, provider: 'openai', model }
    if (own.provider !== 'openai' || own.baseUrl !== null) return { ...own, name: model }
    return { ...own, name: model, baseUrl: connection.baseUrl, apiKey: own.apiKey ?? connection.apiKey }
  }
