import type { Log } from '../core/log.ts'
import { type Breaker, type BreakerSettings, makeBreaker } from './breaker.ts'
import type { FindEndpoint, ModelEndpoint } from './endpoints.ts'
import { openAiBaseUrl } from './openai.ts'

/** The breaker of a model, by the name that roles use; two names for one model at one endpoint share theirs. */
export type BreakerOf = (model: string) => Breaker

/** Makes breakers as models are first asked, and says in the log when one opens or closes. */
export const makeBreakers = (deps: {
  readonly settings: BreakerSettings
  readonly findEndpoint: FindEndpoint
  readonly now: () => number
  readonly log: Log
}): BreakerOf => {
  const { settings, findEndpoint, now, log } = deps
  const breakers = new Map<string, Breaker>()
  return name => {
    const endpoint = findEndpoint(name)
    const key = JSON.stringify([endpoint.provider, endpoint.baseUrl, endpoint.model])
    const known = breakers.get(key)
    if (known) return known
    const facts = { model: endpoint.model, endpoint: endpointKey(endpoint) }
    const breaker = makeBreaker(settings, {
      now,
      onChange: change => {
        if (change.state === 'closed') log.info(facts, 'the model answers again')
        else {
          const { restMs, reason } = change
          log.warn({ ...facts, restMs, reason }, 'the model keeps failing and is left alone for a while')
        }
      },
    })
    breakers.set(key, breaker)
    return breaker
  }
}

const endpointKey = ({ provider, baseUrl }: ModelEndpoint): string => {
  const url = baseUrl ?? (provider === 'openai' ? openAiBaseUrl : null)
  return url !== null && URL.canParse(url) ? new URL(url).host : provider
}
