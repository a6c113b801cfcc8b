import type { ModelConnection, ModelEndpoint } from './call-model.ts'

export const openAiBaseUrl = 'https://api.openai.com/v1'

/** Where requests to an endpoint go, and how it is shown the key. */
export interface EndpointAddress {
  /** Ends before `/chat/completions`. */
  readonly baseUrl: string
  readonly query: Readonly<Record<string, string>>
  /** Azure's older API takes the key in a header of its own. */
  readonly keyHeader: 'authorization' | 'api-key'
  /** Whether `/models` under the address lists the models by the names that requests use. */
  readonly listsModels: boolean
}

/** The last version of Azure's older API that has a date. */
const azureVersion = '2025-04-01-preview'

const azureHost = /\.(openai\.azure|services\.ai\.azure|cognitiveservices\.azure)\.com$/

/**
 * Reads an address as portals and manuals show it: with or without the path of one API, Azure's with or without a
 * deployment and a version. What nobody else could mean is completed; any other address is taken as it is.
 */
export const readAddress = ({ baseUrl }: Pick<ModelConnection, 'baseUrl'>): EndpointAddress => {
  if (baseUrl === null || !URL.canParse(baseUrl))
    return { baseUrl: baseUrl ?? openAiBaseUrl, query: {}, keyHeader: 'authorization', listsModels: true }
  const url = new URL(baseUrl)
  const given = url.pathname.replace(/\/+$/, '').replace(/\/(chat\/completions|responses|embeddings)$/, '')
  const isAzure = azureHost.test(url.hostname)
  const isDeployment = /\/openai\/deployments\/[^/]+$/.test(given)
  const path = completePath(given, { isAzure, host: url.host })
  const query = {
    ...(isDeployment ? { 'api-version': azureVersion } : {}),
    ...Object.fromEntries(url.searchParams),
  }
  return {
    // The version in an address of Azure's newer API belongs to the older one.
    query: isAzure && !isDeployment ? {} : query,
    baseUrl: `${url.protocol}//${credentialsOf(url)}${url.host}${path}`,
    keyHeader: isDeployment ? 'api-key' : 'authorization',
    // Azure lists what could be deployed, Anthropic only names with a date.
    listsModels: !isAzure && !isDeployment && url.host !== 'api.anthropic.com',
  }
}

/** OpenAI's client insists on a key; endpoints without keys (vLLM, Ollama) ignore this one. */
const placeholderKey = 'no-key'

/** How OpenAI's client, and LangChain's around it, is told where an endpoint is. Requests are sent with `send`. */
export const clientFields = (connection: ModelConnection, send: typeof fetch) => {
  const { baseUrl, query, keyHeader } = readAddress(connection)
  const apiKey = connection.apiKey ?? placeholderKey
  const sendWithKeyHeader: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    // There it would be read as a token of Entra ID.
    headers.delete('authorization')
    headers.set('api-key', apiKey)
    return send(input, { ...init, headers })
  }
  const configuration = {
    baseURL: baseUrl,
    defaultQuery: query,
    fetch: keyHeader === 'api-key' ? sendWithKeyHeader : send,
  }
  return { apiKey, configuration }
}

/** A model and where it is; two names of one model at one endpoint have the same key. */
export const endpointKey = ({ provider, baseUrl, model }: ModelEndpoint): string =>
  JSON.stringify([provider, baseUrl, model])

const completePath = (path: string, { isAzure, host }: { isAzure: boolean; host: string }): string => {
  if (isAzure && (path === '' || path === '/openai')) return '/openai/v1'
  if (path !== '') return path
  return host === 'api.openai.com' || host === 'api.anthropic.com' || host.endsWith(':11434') ? '/v1' : ''
}

const credentialsOf = ({ username, password }: URL): string => {
  if (username === '') return ''
  return password === '' ? `${username}@` : `${username}:${password}@`
}

/** The host and port of an address, OpenAI's if it is null; empty if it cannot be read. */
export const hostOf = (baseUrl: string | null): string => {
  const url = baseUrl ?? openAiBaseUrl
  return URL.canParse(url) ? new URL(url).host : ''
}
