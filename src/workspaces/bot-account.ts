import { z } from 'zod'
import { QuerentError } from '../domain/errors.ts'
import type { InTransaction, Tx } from '../domain/operations/jobs.ts'
import type {
  BotAccount,
  BotCredentials,
  FindBotAccount,
  Installation,
  Sealer,
} from '../domain/operations/workspace.ts'
import { rememberSecret } from '../lib/redact.ts'
import type { RefreshToken } from './refresh-token.ts'

/** How soon a token that another process refreshed, or a removed workspace, is noticed. */
const CACHE_MS = 60_000

/** A token is not used in its last minute: it could expire in flight. */
const EXPIRY_MARGIN_MS = 60_000

/** The most cached workspaces; beyond that the oldest are dropped. */
const MAX_ACCOUNTS = 1000

/** Finds accounts, cached for a minute. */
interface BotAccounts {
  readonly find: FindBotAccount
  /** Drops the cached account of a workspace. */
  forget(team: string): void
}

/**
 * Tokens are refreshed ahead of time; if one has expired anyway, it is refreshed here. Equal lookups at the same time
 * share one query.
 */
export const makeBotAccounts = (deps: {
  readonly findInstallation: (team: string) => Promise<Installation | null>
  readonly refresh: RefreshToken
  readonly sealer: Sealer
  readonly now: () => Date
}): BotAccounts => {
  const accounts = new Map<string, { readonly until: number; readonly account: Promise<BotAccount> }>()

  const load = async (team: string): Promise<BotAccount> => {
    let found = await deps.findInstallation(team)
    if (found && isExpired(found.expiresAt, deps.now())) {
      await deps.refresh(team, new Date(deps.now().getTime() + EXPIRY_MARGIN_MS))
      found = await deps.findInstallation(team)
    }
    if (!found)
      throw new QuerentError(
        'not-installed',
        `Querent is not installed in the workspace ${team}. Open /slack/install to install it`,
      )
    const { botUserId, botId, sealed } = found
    return { team, botUserId, botId, token: openCredentials(deps.sealer, team, sealed).token }
  }

  return {
    find: team => {
      const now = deps.now().getTime()
      const known = accounts.get(team)
      if (known && now < known.until) return known.account
      const account = load(team)
      accounts.delete(team)
      accounts.set(team, { until: now + CACHE_MS, account })
      const [oldest] = accounts.keys()
      if (accounts.size > MAX_ACCOUNTS && oldest !== undefined) accounts.delete(oldest)
      // A failed lookup is retried at once.
      account.catch(() => accounts.get(team)?.account === account && accounts.delete(team))
      return account
    },
    forget: team => void accounts.delete(team),
  }
}

const isExpired = (expiresAt: Date | null, now: Date): boolean =>
  expiresAt !== null && expiresAt.getTime() - now.getTime() < EXPIRY_MARGIN_MS

const Credentials = z.object({ token: z.string(), refreshToken: z.string().nullable() })

/** Encrypts the tokens of a workspace for that workspace only. */
export const sealCredentials = (
  sealer: Sealer,
  team: string,
  { token, refreshToken }: BotCredentials,
): string => {
  rememberCredentials({ token, refreshToken })
  return sealer.seal(JSON.stringify({ token, refreshToken }), boundTo(team))
}

/** Decrypts them. Throws `bad-configuration` if no key fits. */
export const openCredentials = (sealer: Sealer, team: string, sealed: string): BotCredentials => {
  const credentials = Credentials.parse(JSON.parse(sealer.open(sealed, boundTo(team))))
  rememberCredentials(credentials)
  return credentials
}

const rememberCredentials = ({ token, refreshToken }: BotCredentials): void => {
  rememberSecret(token)
  if (refreshToken !== null) rememberSecret(refreshToken)
}

const boundTo = (team: string): string => `the installation in ${team}`

/**
 * Re-encrypts with the first key what other keys encrypted; returns how many workspaces that were, and how many there
 * are.
 */
type RotateKeys = () => Promise<{ readonly resealed: number; readonly workspaces: number }>

/** Handles one workspace at a time: what is done stays done if one cannot be decrypted. */
export const makeRotateKeys =
  (deps: {
    readonly inTransaction: InTransaction
    readonly list: () => Promise<readonly Installation[]>
    readonly lock: (team: string, tx: Tx) => Promise<Installation | null>
    readonly storeSealed: (team: string, sealed: string, tx: Tx) => Promise<void>
    readonly sealer: Sealer
  }): RotateKeys =>
  async () => {
    const { sealer } = deps
    const all = await deps.list()
    let resealed = 0
    for (const { team } of all) {
      const changed = await deps.inTransaction(async tx => {
        const found = await deps.lock(team, tx)
        if (!found || sealer.isCurrent(found.sealed)) return false
        const credentials = openCredentials(sealer, team, found.sealed)
        await deps.storeSealed(team, sealCredentials(sealer, team, credentials), tx)
        return true
      })
      if (changed) resealed += 1
    }
    return { resealed, workspaces: all.length }
  }
