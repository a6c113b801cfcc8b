/** What a bot needs in order to answer. Each is looked at by itself. */
export const healthParts = ['store', 'migrations', 'queue', 'slack', 'database'] as const

export type HealthPart = (typeof healthParts)[number]

/**
 * Looks at one part: null where it works, else why not, in words of ours. Operators read it without having said who
 * they are, so it names no host and no user. A rejection counts as not working, and its message goes to the log alone.
 */
export type CheckHealthPart = (signal: AbortSignal) => Promise<string | null>

/** Why a part does not work yet. It is no complaint: a bot that starts says so to whoever asks, and not to its log. */
export const NOT_STARTED = 'has not started'

/** The state of one part. */
export type HealthPartState = { readonly ok: true } | { readonly ok: false; readonly reason: string }

/** Whether a bot can take questions, and what keeps it from that. */
export interface Readiness {
  readonly status: 'ready' | 'not-ready' | 'draining'
  readonly parts: Readonly<Record<HealthPart, HealthPartState>>
}
