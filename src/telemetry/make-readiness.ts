import {
  type CheckHealthPart,
  type HealthPart,
  type HealthPartState,
  healthParts,
  NOT_STARTED,
  type Readiness,
} from '../core/health.ts'
import type { Log } from '../core/log.ts'

/** What says whether the bot can take questions. */
export interface ReadinessProbe {
  /** How a part is looked at from now on. A part that nobody looks at has not started. */
  watch(part: HealthPart, check: CheckHealthPart): void
  /** From now on the bot takes nothing in, and says so. */
  drain(): void
  /** Looks at every part, all at once. Never rejects. */
  look(): Promise<Readiness>
}

/** A part that takes longer does not work. Probes wait longer than this: docs/operating.md says 5 s. */
const CHECK_MS = 1_500

const notStarted: HealthPartState = { ok: false, reason: NOT_STARTED }

/** Makes the keeper. When the state changes, the log says so once, with what is behind it. */
export const makeReadiness = (log: Log, checkMs: number = CHECK_MS): ReadinessProbe => {
  const checks = new Map<HealthPart, CheckHealthPart>()
  const failing = new Set<HealthPart>()
  let draining = false
  let looking: Promise<Readiness> | null = null

  const lookAt = async (part: HealthPart): Promise<HealthPartState> => {
    const check = checks.get(part)
    if (!check) return notStarted
    let reason: string | null
    let error: unknown
    try {
      reason = await inTime(check, checkMs)
    } catch (thrown) {
      error = thrown
      reason = isLate(thrown)
        ? `does not answer within ${checkMs / 1000} s`
        : 'does not work; the log says why'
    }
    if (reason === NOT_STARTED) return notStarted
    if (reason === null) {
      if (failing.delete(part)) log.info({ part }, 'a part of the bot works again')
      return { ok: true }
    }
    if (!failing.has(part))
      log.warn({ part, reason, ...(error ? { error } : {}) }, 'a part of the bot does not work')
    failing.add(part)
    return { ok: false, reason }
  }

  const lookAtAll = async (): Promise<Readiness> => {
    const states = await Promise.all(healthParts.map(async part => [part, await lookAt(part)] as const))
    const allWork = states.every(([, state]) => state.ok)
    return {
      status: draining ? 'draining' : allWork ? 'ready' : 'not-ready',
      parts: Object.fromEntries(states) as Record<HealthPart, HealthPartState>,
    }
  }

  return {
    watch: (part, check) => void checks.set(part, check),
    drain: () => {
      draining = true
    },
    // Many who ask at once are one look: probes must not be a way to load the store.
    look: () => {
      looking ??= lookAtAll().finally(() => {
        looking = null
      })
      return looking
    },
  }
}

const inTime = (check: CheckHealthPart, ms: number): Promise<string | null> => {
  const signal = AbortSignal.timeout(ms)
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([check(signal), late])
}

const isLate = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'
