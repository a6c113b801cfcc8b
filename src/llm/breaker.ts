import type { Log } from '../domain/operations/telemetry.ts'
import { CallFailure, type CallFailureKind } from './call-failure.ts'
import type { CallModel, FindEndpoint, ModelEndpoint } from './call-model.ts'
import { endpointKey, openAiBaseUrl } from './endpoint-address.ts'

/** When a breaker opens: after this many failures within the window, if they are at least half of all requests. */
export interface BreakerSettings {
  readonly failures: number
  readonly windowMs: number
  /** How long it stays open before one request tries the model again. */
  readonly restMs: number
}

export const defaultBreaker: BreakerSettings = { failures: 5, windowMs: 60_000, restMs: 30_000 }

/**
 * `closed`: requests are sent. `open`: requests are not sent. `half-open`: one request may try whether the model
 * works again.
 */
type BreakerState = 'closed' | 'open' | 'half-open'

/** Permission for one request. Exactly one of these is called when it has ended. */
interface BreakerPermit {
  readonly succeeded: () => void
  /** `restMs` is how long the endpoint asked us to wait, if it did; `reason` is for the log. */
  readonly failed: (restMs: number | null, reason: string) => void
  /** It ended for a reason that says nothing about the model. */
  readonly left: () => void
}

/** The circuit breaker of one model at one endpoint. */
interface Breaker {
  readonly state: () => BreakerState
  /** Whether `enter` would permit a request. */
  readonly isPassable: () => boolean
  /** Null if no request may be sent. */
  readonly enter: () => BreakerPermit | null
}

/** A change of a breaker: it opened, for how long and after which failure, or it closed. */
type BreakerChange =
  | { readonly state: 'open'; readonly restMs: number; readonly reason: string }
  | { readonly state: 'closed' }

/** Makes a breaker. `onChange` is called when it opens or closes; times are in milliseconds. */
export const makeBreaker = (
  settings: BreakerSettings,
  { now, onChange }: { readonly now: () => number; readonly onChange: (change: BreakerChange) => void },
): Breaker => {
  let ended: readonly { readonly at: number; readonly isFailure: boolean }[] = []
  /** When it may be tried again; null while it is closed. */
  let restsUntil: number | null = null
  let isTried = false

  const state = (): BreakerState => {
    if (restsUntil === null) return 'closed'
    return now() < restsUntil ? 'open' : 'half-open'
  }
  const open = (asked: number | null, reason: string): void => {
    const wasOpen = restsUntil !== null
    const restMs = Math.max(settings.restMs, asked ?? 0)
    restsUntil = now() + restMs
    if (!wasOpen) onChange({ state: 'open', restMs, reason })
  }
  const close = (): void => {
    restsUntil = null
    ended = []
    onChange({ state: 'closed' })
  }
  const note = (isFailure: boolean): void => {
    const since = now() - settings.windowMs
    ended = [...ended.filter(({ at }) => at > since), { at: now(), isFailure }]
  }
  const isFailing = (): boolean => {
    const failures = ended.filter(({ isFailure }) => isFailure).length
    return failures >= settings.failures && failures * 2 >= ended.length
  }
  const isPassable = (): boolean => state() === 'closed' || (state() === 'half-open' && !isTried)

  /** A request sent while the breaker was closed has no effect once it is open; only the trial has. */
  const usual: BreakerPermit = {
    succeeded: () => {
      if (restsUntil === null) note(false)
    },
    failed: (restMs, reason) => {
      if (restsUntil !== null) return
      note(true)
      if (isFailing()) open(restMs, reason)
    },
    left: () => {},
  }
  const trial: BreakerPermit = {
    succeeded: () => {
      isTried = false
      close()
    },
    failed: (restMs, reason) => {
      isTried = false
      open(restMs, reason)
    },
    left: () => {
      isTried = false
    },
  }

  return {
    state,
    isPassable,
    enter: () => {
      if (!isPassable()) return null
      if (restsUntil === null) return usual
      isTried = true
      return trial
    },
  }
}

/** Whether the next request to the same model is likely to fail in the same way, whatever it asks. */
const isOutage: Record<CallFailureKind, boolean> = {
  'rate-limited': true,
  'quota-spent': true,
  'server-error': true,
  'timed-out': true,
  unreachable: true,
  unreadable: true,
  rejected: false,
  resting: false,
}

/** A wrong key or an unknown model fails every request; other rejections are about the request. */
const modelRejectionStatuses = new Set([401, 403, 404])

const isModelFailure = ({ facts }: CallFailure): boolean =>
  isOutage[facts.kind] || modelRejectionStatuses.has(facts.status ?? 0)

/**
 * Sends requests if the breaker of their model permits it, and reports to the breaker how they end. A request that is
 * not permitted fails as `resting`. `isStopped` says that a person stopped the question, which is not a failure.
 */
export const withBreaker =
  (callModel: CallModel, breaker: Breaker, isStopped: () => boolean): CallModel =>
  async call => {
    const pass = breaker.enter()
    if (pass === null) throw breakerOpenFailure()
    try {
      const reply = await callModel(call)
      pass.succeeded()
      return reply
    } catch (error) {
      if (error instanceof CallFailure && !isStopped() && isModelFailure(error)) {
        pass.failed(error.facts.retryAfterMs, reasonOf(error))
      } else pass.left()
      throw error
    }
  }

/** Why a model counts as failing, for the log: what an endpoint says may quote the prompt, what a socket says does not. */
const reasonOf = ({ message, facts: { kind, status } }: CallFailure): string => {
  if (kind === 'unreachable') return message
  return status === null ? kind : `${kind} (HTTP ${status})`
}

/** The failure of a request that was not sent because earlier ones failed. */
const breakerOpenFailure = (): CallFailure =>
  new CallFailure('not asked, because its last requests failed', {
    kind: 'resting',
    status: null,
    code: null,
    param: null,
    retryAfterMs: null,
  })

/** Finds the breaker of a model by the name that roles use. Two names for one model at one endpoint share a breaker. */
export type BreakerOf = (model: string) => Breaker

/** Makes a breaker when a model is first asked, and logs when it opens or closes. */
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
    const key = endpointKey(endpoint)
    const known = breakers.get(key)
    if (known) return known
    const facts = { model: endpoint.model, endpoint: hostName(endpoint) }
    const breaker = makeBreaker(settings, {
      now,
      onChange: change => {
        if (change.state === 'closed') log.info(facts, 'the model answers again')
        else {
          const { restMs, reason } = change
          log.warn({ ...facts, restMs, reason }, 'the model keeps failing and is not asked for a while')
        }
      },
    })
    breakers.set(key, breaker)
    return breaker
  }
}

const hostName = ({ provider, baseUrl }: ModelEndpoint): string => {
  const url = baseUrl ?? (provider === 'openai' ? openAiBaseUrl : null)
  return url !== null && URL.canParse(url) ? new URL(url).host : provider
}
