/** The names of the limit on a reply's tokens in chat completions; `none` if the model takes neither. */
export const tokenLimitNames = ['max_tokens', 'max_completion_tokens', 'none'] as const

/** How a model can be held to JSON: to a schema, to any JSON object, or by words alone. */
export const jsonFormats = ['json_schema', 'json_object', 'none'] as const

/** How much a reasoning model may think before it replies. */
export const efforts = ['minimal', 'low', 'medium', 'high', 'xhigh'] as const

export type Effort = (typeof efforts)[number]

/**
 * What one model takes at its endpoint, and how it is best asked. There is one such record a model: known by its name,
 * corrected by what the endpoint rejects, and overruled by `models.capabilities` in querent.yml.
 */
export interface ModelCapabilities {
  /** Which of OpenAI's APIs it is asked with. */
  readonly api: 'chat' | 'responses'
  readonly temperature: boolean
  readonly tokenLimit: (typeof tokenLimitNames)[number]
  /** Whether a request without a limit is rejected, as by gateways that pass requests on to Anthropic. */
  readonly needsLimit: boolean
  /** It thinks before it replies, so a prompt need not make it reason in words. */
  readonly reasoning: boolean
  /** Whether it takes a reasoning effort. */
  readonly effort: boolean
  readonly format: (typeof jsonFormats)[number]
  /** The most conversations with it at one time, in this process. */
  readonly parallel: number
  /** Whether its endpoint takes explicit marks of what to keep in the prompt cache. */
  readonly cacheControl: boolean
}
