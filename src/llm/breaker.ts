/** When a model is left alone: after so many failures within the window, if they are at least half of all requests. */
export interface BreakerSettings {
  readonly failures: number
  readonly windowMs: number
  /** How long it is left alone before one request tries it again. */
  readonly restMs: number
}

export const defaultBreaker: BreakerSettings = { failures: 5, windowMs: 60_000, restMs: 30_000 }

/** `closed`: asked as usual. `open`: left alone. `half-open`: one request may try whether it works again. */
export type BreakerState = 'closed' | 'open' | 'half-open'

/** A request that was let through: exactly one of these is called when it has ended. */
export interface BreakerPermit {
  readonly succeeded: () => void
  /** `restMs`: how long the endpoint asked to be left alone, where that is longer than usual; `reason` is for the log. */
  readonly failed: (restMs: number | null, reason: string) => void
  /** It ended for reasons that say nothing of the model. */
  readonly left: () => void
}

/** The circuit breaker of one model at one endpoint. */
export interface Breaker {
  readonly state: () => BreakerState
  /** Whether `enter` would let a request through. */
  readonly isPassable: () => boolean
  /** Null when the model is to be left alone. */
  readonly enter: () => BreakerPermit | null
}

/** What a breaker tells of itself: that it opened, for how long and for which last failure, or that it closed. */
export type BreakerChange =
  | { readonly state: 'open'; readonly restMs: number; readonly reason: string }
  | { readonly state: 'closed' }

/** Makes a breaker. `onChange` hears of every change between closed and open; time is in milliseconds. */
export const makeBreaker = (
  settings: BreakerSettings,
  { now, onChange }: { readonly now: () => number; readonly onChange: (change: BreakerChange) => void },
): Breaker => {
  let ended: readonly { readonly at: number; readonly isFailure: boolean }[] = []
  /** Until when it rests; null while it is closed. */
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

  /** One that was sent while the breaker was closed has no say once it is open: only the trial has. */
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
