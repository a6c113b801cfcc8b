import type { Log } from '../../core/log.ts'
import type { RefreshToken } from './refresh-token.ts'

/** Tokens live for twelve hours: there is time for many tries before one has expired. */
const AHEAD_MS = 2 * 60 * 60_000

/** Exchanges the tokens that expire soon, one after the other. Never rejects: it is done again in a while. */
export const makeRefreshExpiringTokens =
  (deps: {
    readonly listExpiring: (before: Date) => Promise<readonly string[]>
    readonly refresh: RefreshToken
    readonly now: () => Date
    readonly log: Log
  }) =>
  async (): Promise<void> => {
    const before = new Date(deps.now().getTime() + AHEAD_MS)
    try {
      for (const team of await deps.listExpiring(before)) await deps.refresh(team, before)
    } catch (error) {
      deps.log.warn({ error }, 'it could not be looked which tokens expire; it is tried again')
    }
  }
