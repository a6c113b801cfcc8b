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
