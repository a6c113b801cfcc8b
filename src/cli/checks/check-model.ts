import { z } from 'zod'
import { readModelConnections } from '../../bootstrap/answering/models.ts'
import type { Config, EndpointSettings, ModelsSettings } from '../../config/config.ts'
import { QuerentError } from '../../domain/errors.ts'
import { openAiBaseUrl } from '../../llm/openai.ts'
import { modelFindings } from '../copy/operations.ts'
import type { Check } from './checks.ts'

const TIMEOUT_MS = 10_000

const modelList = z.object({ data: z.array(z.object({ id: z.string() })) })

/** An endpoint, and the names that the configured models have there. */
interface Provider {
  readonly base: string
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
  const todos = [...new Set(found.flatMap(({ todo }) => (todo === undefined ? [] : [todo])))]
  return {
    status: found.some(({ status }) => status === 'broken') ? 'broken' : 'ok',
    finding: found.map(({ finding }) => finding).join('; '),
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
          base: first.baseUrl ?? openAiBaseUrl,
          key: first.apiKey,
          models: [first, ...others].map(({ model }) => model),
        },
  )
}

const checkModelList = async (
  { base, key, models }: Provider,
  signal: AbortSignal,
): Promise<Omit<Check, 'part'>> => {
  const address = base.replace(/\/$/, '')
  const response = await fetch(`${address}/models`, {
    headers: key ? { authorization: `Bearer ${key}` } : {},
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
  const unknown = listed ? models.filter(model => !listed.includes(model)) : []
  return unknown.length === 0
    ? { status: 'ok', finding: modelFindings.ok(address, models) }
    : {
        status: 'broken',
        finding: modelFindings.unlisted(address, unknown),
        todo: modelFindings.checkNames,
      }
}
