import type { Log } from '../domain/operations/telemetry.ts'
import type { InTransaction, Tx } from '../domain/operations/transaction.ts'
import type { BotCredentials, Installation, Sealer } from '../domain/operations/workspace.ts'
import { openCredentials, sealCredentials } from './credentials.ts'

/**
 * Exchanges the token of a workspace for the next one, if it expires before then. `fresh`: it does not, for instance as
 * another process was quicker. `failed` is logged and noted; it is tried again, and the token is used while it lasts.
 */
export type RefreshToken = (team: string, before: Date) => Promise<'refreshed' | 'fresh' | 'failed' | 'gone'>

/** Asks Slack for the next tokens. The one that is given is used up by it. */
export type ExchangeRefreshToken = (
  refreshToken: string,
) => Promise<{ readonly credentials: BotCredentials; readonly expiresAt: Date | null }>

/** Between tries to keep what was bought: a minute in all. */
const RETRY_DELAYS_MS = [1_000, 4_000, 15_000, 40_000]

/**
 * Makes it. The row is locked while Slack is asked: a refresh token can be used once, and of two processes that use one
 * the second would be left with nothing.
 */
export const makeRefreshToken = (deps: {
  readonly inTransaction: InTransaction
  readonly lock: (team: string, tx: Tx) => Promise<Installation | null>
  readonly storeTokens: (
    team: string,
    tokens: Pick<Installation, 'sealed' | 'expiresAt'>,
    tx?: Tx,
  ) => Promise<void>
  readonly recordFailure: (team: string, failure: { reason: string; at: Date }) => Promise<void>
  readonly exchange: ExchangeRefreshToken
  readonly sealer: Sealer
  /** What is remembered of the workspace counts no more. */
  readonly forget: (team: string) => void
  readonly now: () => Date
  readonly log: Log
  /** Waits, in milliseconds. */
  readonly pause: (ms: number) => Promise<void>
}): RefreshToken => {
  /** The token before is used up: what it bought is all there is, so the store gets some time to come back. */
  const storeWithRetries = async (
    team: string,
    tokens: Pick<Installation, 'sealed' | 'expiresAt'>,
  ): Promise<boolean> => {
    for (const ms of RETRY_DELAYS_MS) {
      await deps.pause(ms)
      try {
        await deps.storeTokens(team, tokens)
        deps.forget(team)
        deps.log.info({ team }, 'stored the refreshed token of a workspace after the store came back')
        return true
      } catch (error) {
        deps.log.warn({ error, team }, 'could not store the refreshed token of a workspace yet')
      }
    }
    return false
  }

  return async (team, before) => {
    const { log, sealer } = deps
    let exchanged: Pick<Installation, 'sealed' | 'expiresAt'> | null = null
    try {
      const done = await deps.inTransaction(async tx => {
        const found = await deps.lock(team, tx)
        if (!found) return 'gone'
        if (found.expiresAt === null || found.expiresAt.getTime() >= before.getTime()) return 'fresh'
        const { refreshToken } = openCredentials(sealer, team, found.sealed)
        if (refreshToken === null) throw new Error('Slack sent no refresh token for this workspace')
        const { credentials, expiresAt } = await deps.exchange(refreshToken)
        exchanged = { sealed: sealCredentials(sealer, team, credentials), expiresAt }
        await deps.storeTokens(team, exchanged, tx)
        return 'refreshed'
      })
      if (done === 'refreshed') log.info({ team }, 'refreshed the token of a workspace')
      deps.forget(team)
      return done
    } catch (error) {
      if (exchanged !== null && (await storeWithRetries(team, exchanged))) return 'refreshed'
      log.error(
        { error, team },
        'could not refresh the token of a workspace; trying again later. Once it has expired, reinstall the app there',
      )
      const reason = error instanceof Error ? error.message : String(error)
      await deps
        .recordFailure(team, { reason, at: deps.now() })
        .catch((failure: unknown) =>
          log.warn({ error: failure, team }, 'could not record the failed token refresh'),
        )
      return 'failed'
    }
  }
}

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
      deps.log.warn({ error }, 'could not look for expiring tokens; trying again later')
    }
  }
