import { z } from 'zod'
import { readModelConnections } from '../../bootstrap/answering/models.ts'
import type { Config, EndpointSettings, ModelsSettings } from '../../config/config.ts'
import { QuerentError } from '../../domain/errors.ts'
import { openAiBaseUrl } from '../../llm/openai.ts'
import type { Check } from './checks.ts'

const TIMEOUT_MS = 10_000

const modelList = z.object({ data: z.array(z.object({ id: z.string() })) })

/** An endpoint, and what the models that are configured are called there. */
interface Provider {
  readonly base: string
  readonly key: string | null
  readonly models: readonly string[]
}

/**
 * Asks every OpenAI-compatible endpoint for its list of models, which costs nothing, and looks for the configured ones
 * in it. Other providers have no such list: theirs are named, and found out about at the first question.
 */
export const checkModel = async (config: Config, signal: AbortSignal): Promise<Omit<Check, 'part'>> => {
  if (!config.models) {
    return { status: 'not-set', finding: 'No model is configured; the semantic parser answers alone.' }
  }
  if (config.exchanges.mode === 'replay') {
    return {
      status: 'ok',
      finding: 'No model is called: QUERENT_LLM=replay answers from recorded exchanges.',
    }
  }
  const names = namesIn(config.models)
  const found: Omit<Check, 'part'>[] = []
  for (const place of groupByProvider(config, names)) found.push(await checkModelList(place, signal))
  for (const name of names) {
    const elsewhere = config.models.endpoints[name]
    if (elsewhere && elsewhere.provider !== 'openai') found.push(await checkElsewhere(name, elsewhere))
  }
  const todos = [...new Set(found.flatMap(({ todo }) => (todo === undefined ? [] : [todo])))]
  return {
    status: found.some(({ status }) => status === 'broken') ? 'broken' : 'ok',
    finding: found.map(({ finding }) => finding).join('; '),
    ...(todos.length > 0 && { todo: todos.join('\n') }),
  }
}

/** Whether its package is there; whether it answers, only a request that costs something would tell. */
const checkElsewhere = async (
  name: string,
  { provider, model }: EndpointSettings,
): Promise<Omit<Check, 'part'>> => {
  const { checkProvider } = await import('../../llm/provider-model.ts')
  try {
    await checkProvider({ provider, model, name, baseUrl: null, apiKey: null })
    return { status: 'ok', finding: `${name} is asked of ${provider}, which was not tried` }
  } catch (error) {
    if (!(error instanceof QuerentError)) throw error
    return { status: 'broken', finding: error.message, todo: 'Install the package, or name another model.' }
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
      finding: `${address} does not answer`,
      todo: 'Check OPENAI_BASE_URL or baseUrl of the endpoint, and that something runs there.',
    }
  if (!response.ok)
    return {
      status: 'broken',
      finding: `${address}/models answered ${response.status}`,
      todo:
        response.status === 401 ? 'Check OPENAI_API_KEY.' : 'Check OPENAI_BASE_URL: it usually ends in /v1.',
    }
  const listed = modelList.safeParse(await response.json().catch(() => null)).data?.data.map(({ id }) => id)
  const unknown = listed ? models.filter(model => !listed.includes(model)) : []
  return unknown.length === 0
    ? { status: 'ok', finding: `${address} answers; configured: ${models.join(', ')}` }
    : {
        status: 'broken',
        finding: `${address} does not list ${unknown.join(', ')}`,
        todo: 'Check the names under `models` in querent.yml against what the endpoint lists.',
      }
}
