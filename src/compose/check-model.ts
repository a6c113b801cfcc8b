import { z } from 'zod'
import type { Config } from '../config/config.ts'
import type { Check } from './check.ts'

const TIMEOUT_MS = 10_000

const modelList = z.object({ data: z.array(z.object({ id: z.string() })) })

/** Asks the endpoint for its list of models, which costs nothing, and looks for the configured ones in it. */
export const checkModel = async (config: Config, signal: AbortSignal): Promise<Omit<Check, 'part'>> => {
  if (!config.models) {
    return { status: 'not-set', finding: 'No model is configured; the semantic parser answers alone.' }
  }
  const base = (config.openai.baseUrl ?? 'https://api.openai.com/v1').replace(/\/$/, '')
  const key = config.openai.apiKey?.reveal()
  const response = await fetch(`${base}/models`, {
    headers: key ? { authorization: `Bearer ${key}` } : {},
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  })
  const wanted = [...new Set(Object.values(config.models.roles).map(({ model }) => model))]
  if (response.ok) {
    const known = modelList.safeParse(await response.json()).data?.data.map(model => model.id)
    const unknown = known ? wanted.filter(model => !known.includes(model)) : []
    return unknown.length === 0
      ? { status: 'ok', finding: `${base} answers; configured: ${wanted.join(', ')}` }
      : {
          status: 'broken',
          finding: `${base} does not list ${unknown.join(', ')}`,
          todo: 'Check the names under `models` in querent.yml against what the endpoint lists.',
        }
  }
  return {
    status: 'broken',
    finding: `${base}/models answered ${response.status}`,
    todo:
      response.status === 401 ? 'Check OPENAI_API_KEY.' : 'Check OPENAI_BASE_URL: it usually ends in /v1.',
  }
}
