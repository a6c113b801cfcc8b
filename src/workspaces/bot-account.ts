import { QuerentError } from '../domain/errors.ts'
import type { BotAccount, FindBotAccount, Installation, Sealer } from '../domain/operations/workspace.ts'
import { openCredentials } from './credentials.ts'
import type { RefreshToken } from './refresh-token.ts'

/** A token that another process exchanged, or a workspace that it saw go, is noticed within this time. */
const CACHE_MS = 60_000

/** A token is not used in its last minute: it could expire under way. */
const EXPIRY_MARGIN_MS = 60_000

/** Workspaces remembered; beyond it the oldest go. */
const MAX_ACCOUNTS = 1000

/** Finds accounts, and remembers them for a minute. */
interface BotAccounts {
  readonly find: FindBotAccount
  /** What is remembered of a workspace counts no more. */
  forget(team: string): void
}

/**
 * Makes it. Tokens are exchanged ahead of time by `keepTokensFresh`; where that did not come to it, an expired one is
 * exchanged here. Equal questions at once are one query.
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
      // What could not be found is looked for again at once.
      account.catch(() => accounts.get(team)?.account === account && accounts.delete(team))
      return account
    },
    forget: team => void accounts.delete(team),
  }
}

const isExpired = (expiresAt: Date | null, now: Date): boolean =>
  expiresAt !== null && expiresAt.getTime() - now.getTime() < EXPIRY_MARGIN_MS
