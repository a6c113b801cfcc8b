import type { ModelConnection } from './openai.ts'

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
