import type { Config } from '../../config/config.ts'
import { type FindEndpoint, type ModelEndpoints, makeFindEndpoint } from '../../llm/endpoints.ts'
import type { ModelConnection } from '../../llm/openai.ts'

/** Where models are, as the environment and querent.yml say it, with the keys unwrapped for the client. */
export interface ModelConnections {
  readonly connection: ModelConnection
  readonly endpoints: ModelEndpoints
  readonly findEndpoint: FindEndpoint
}

/** Reads the places out of a configuration. Nothing is tried. */
export const readModelConnections = ({
  openai,
  models,
}: Pick<Config, 'openai' | 'models'>): ModelConnections => {
  const connection = { apiKey: openai.apiKey?.reveal() ?? null, baseUrl: openai.baseUrl }
  const endpoints = Object.fromEntries(
    Object.entries(models?.endpoints ?? {}).map(([name, { apiKey, ...endpoint }]) => [
      name,
      { ...endpoint, apiKey: apiKey?.reveal() ?? null },
    ]),
  )
  return { connection, endpoints, findEndpoint: makeFindEndpoint(connection, endpoints) }
}
