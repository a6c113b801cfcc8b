import { z } from 'zod'
import { readModelConnections } from '../../bootstrap/answering/models.ts'
import type { Config, EndpointSettings, ModelsSettings } from '../../config/config.ts'
import { QuerentError } from '../../domain/errors.ts'
import { makeCapabilities } from '../../llm/capabilities.ts'
import { type EndpointAddress, readAddress } from '../../llm/endpoint-address.ts'
import { modelFindings } from '../copy/operations.ts'
import type { Check } from './checks.ts'

const TIMEOUT_MS = 10_000

const modelList = z.object({ data: z.array(z.object({ id: z.string() })) })

/** An endpoint, and the names that the configured models have there. */
interface Provider {
  readonly address: EndpointAddress
  readonly key: string | null
  readonly models: readonly string[]
}

/**
 * Asks every OpenAI-compatible endpoint for its list of models, which is free, and looks for the configured ones in it.
 * Other providers have no such list, so only their packages are checked.
 */
export const checkModel = async (config: Config, signal: AbortSignal): Promise<Omit<Check, 'part'>> => {
  if (!config.models) {
    return { status: 'not-set', finding: modelFindings.notSet }
  }
  if (config.exchanges.mode === 'replay') {
    return {
      status: 'ok',
      finding: modelFindings.replay,
    }
  }
  const names = namesIn(config.models)
  const found: Omit<Check, 'part'>[] = []
  for (const provider of groupByProvider(config, names)) found.push(await checkModelList(provider, signal))
  for (const name of names) {
    const endpoint = config.models.endpoints[name]
    if (endpoint && endpoint.provider !== 'openai') found.push(await checkPackage(name, endpoint))
  }
  const capabilities = makeCapabilities(readModelConnections(config).findEndpoint, config.models.capabilities)
  const isBroken = found.some(({ status }) => status === 'broken')
  const asked = isBroken ? [] : names.map(name => modelFindings.askedWith(name, capabilities.of(name)))
  const todos = [...new Set(found.flatMap(({ todo }) => (todo === undefined ? [] : [todo])))]
  return {
    status: isBroken ? 'broken' : 'ok',
    finding: [...found.map(({ finding }) => finding), ...asked].join('; '),
    ...(todos.length > 0 && { todo: todos.join('\n') }),
  }
}

/** Checks that the package is installed. Calling the model would cost money. */
const checkPackage = async (
  name: string,
  { provider, model }: EndpointSettings,
): Promise<Omit<Check, 'part'>> => {
  const { checkProvider } = await import('../../llm/provider-model.ts')
  try {
    await checkProvider({ provider, model, name, baseUrl: null, apiKey: null })
    return { status: 'ok', finding: modelFindings.notCalled(name, provider) }
  } catch (error) {
    if (!(error instanceof QuerentError)) throw error
    return { status: 'broken', finding: error.message, todo: modelFindings.installPackage }
  }
}

const namesIn = ({ roles, drafters }: ModelsSettings): readonly string[] => [
  ...new Set([...Object.values(roles), ...drafters].flatMap(({ model, fallbacks }) => [model, ...fallbacks])),
]

const groupByProvider = (config: Config, names: readonly string[]): readonly Provider[] => {
  const { findEndpoint } = readModelConnections(config)
  const found = names.map(findEndpoint).filter(({ provider }) => provider === 'openai')
  const grouped = Map.groupBy(found, ({ baseUrl, apiKey }) => JSON.stringify([baseUrl, apiKey]))
  return [...grouped.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : {
          address: readAddress(first),
          key: first.apiKey,
          models: [first, ...others].map(({ model }) => model),
        },
  )
}

/** Anthropic takes its own header for everything but chat completions. */
const headersOf = (key: string | null, address: string): Record<string, string> => {
  if (key === null) return {}
  if (!address.startsWith('https://api.anthropic.com/')) return { authorization: `Bearer ${key}` }
  return { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
}

const checkModelList = async (
  { address: { baseUrl, query, keyHeader, listsModels }, key, models }: Provider,
  signal: AbortSignal,
): Promise<Omit<Check, 'part'>> => {
  // A deployment of Azure's older API is one model, and has no list.
  if (keyHeader === 'api-key') return { status: 'ok', finding: modelFindings.noList(models) }
  const { username, password } = URL.canParse(baseUrl) ? new URL(baseUrl) : { username: '', password: '' }
  if (username !== '' || password !== '') return { status: 'broken', ...modelFindings.credentials }
  const address = baseUrl.replace(/\/$/, '')
  const search = Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`
  const response = await fetch(`${address}/models${search}`, {
    headers: headersOf(key, address),
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  }).catch((error: unknown) => {
    if (signal.aborted) throw error
    return null
  })
  if (response === null)
    return {
      status: 'broken',
      finding: modelFindings.noAnswer(address),
      todo: modelFindings.checkAddress,
    }
  if (!response.ok)
    return {
      status: 'broken',
      finding: modelFindings.badStatus(address, response.status),
      todo: response.status === 401 ? modelFindings.checkKey : modelFindings.checkPath,
    }
  const listed = modelList.safeParse(await response.json().catch(() => null)).data?.data.map(({ id }) => id)
  const unknown = listed && listsModels ? models.filter(model => !listed.includes(model)) : []
  return unknown.length === 0
    ? { status: 'ok', finding: modelFindings.ok(address, models) }
    : {
        status: 'broken',
        finding: modelFindings.unlisted(address, unknown),
        todo: modelFindings.checkNames,
      }
}
