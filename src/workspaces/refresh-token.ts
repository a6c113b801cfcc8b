import type { InTransaction, Tx } from '../domain/operations/jobs.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type { BotCredentials, Installation, Sealer } from '../domain/operations/workspace.ts'
import { openCredentials, sealCredentials } from './bot-account.ts'

/**
 * Refreshes the token of a workspace if it expires before then. `fresh`: it does not, for instance because another
 * process was faster. `failed` is logged and recorded; it is tried again, and the token is used while it lasts.
 */
export type RefreshToken = (team: string, before: Date) => Promise<'refreshed' | 'fresh' | 'failed' | 'gone'>

/** Exchanges a refresh token at Slack for the next tokens. It works only once. */
export type ExchangeRefreshToken = (
  refreshToken: string,
) => Promise<{ readonly credentials: BotCredentials; readonly expiresAt: Date | null }>

/** Delays between attempts to store the new tokens: a minute in total. */
const RETRY_DELAYS_MS = [1_000, 4_000, 15_000, 40_000]

/**
 * The row is locked during the exchange: a refresh token works once, and a second process using it would get nothing.
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
  /** Drops the cached account of a workspace. */
  readonly forget: (team: string) => void
  readonly now: () => Date
  readonly log: Log
  /** Waits for some milliseconds. */
  readonly pause: (ms: number) => Promise<void>
}): RefreshToken => {
  /** The old refresh token is used up and the new tokens exist only here, so the store gets some time to come back. */
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

/** Tokens last twelve hours, so there is time for many attempts. */
const AHEAD_MS = 2 * 60 * 60_000

/** Refreshes the tokens that expire soon, one at a time. Never rejects: it runs again later. */
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
