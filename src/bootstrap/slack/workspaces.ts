import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../config/config.ts'
import {
  readManifestScopes,
  readWorkspacesSettings,
  type WorkspacesSettings,
} from '../../config/workspaces.ts'
import { QuerentError } from '../../domain/errors.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { RemoveInstallation } from '../../domain/operations/workspace.ts'
import { ownCommand } from '../../lib/project.ts'
import type { SlackAuthorization } from '../../slack/app.ts'
import type { CredentialsOf } from '../../slack/by-team.ts'
import type { SlackCredentials } from '../../slack/delivery/client.ts'
import { makeAuthorize, makeExchangeRefreshToken } from '../../slack/installs/authorize.ts'
import { type InstallRoute, makeInstallRoutes } from '../../slack/installs/routes.ts'
import { makeSealer } from '../../store/sealer.ts'
import { makeBotAccounts } from '../../workspaces/bot-account.ts'
import {
  makeCheckInstallation,
  makeRemoveInstallation,
  makeStoreInstallation,
} from '../../workspaces/installation.ts'
import { makeRefreshExpiringTokens, makeRefreshToken } from '../../workspaces/refresh-token.ts'
import type { OwnStore } from '../own-store.ts'

/** The workspaces the bot is in: one with a configured token, or those that have installed the app. */
export interface Workspaces {
  readonly authorization: SlackAuthorization
  readonly apiUrl: string | null
  readonly credentialsOf: CredentialsOf
  /**
   * The credentials to use if no workspace is known, as for the owner of a verified query; null if there are several.
   */
  readonly only: SlackCredentials | null
  readonly remove: RemoveInstallation
  /** Refreshes tokens from now on. Resolves with a function that stops it. */
  startTokenRefresh(): Promise<() => void>
}

/** The single workspace of a permanent token. */
export const makeSingleWorkspace = (credentials: {
  readonly token: string
  readonly apiUrl: string | null
}): Workspaces => ({
  authorization: { token: credentials.token },
  apiUrl: credentials.apiUrl,
  credentialsOf: () => credentials,
  only: credentials,
  remove: async () => false,
  startTokenRefresh: async () => () => {},
})

/** How often a process looks for tokens that expire soon: it uses an index, so it costs almost nothing. */
const REFRESH_EVERY_MS = 10 * 60_000

/** The most workspaces cached; beyond that the least recently used are dropped. */
const MAX_CACHED_CREDENTIALS = 500

/** Workspaces that install the app themselves, and their installation pages. */
export const makeInstalledWorkspaces = (
  settings: WorkspacesSettings,
  deps: {
    readonly ownStore: () => Promise<OwnStore>
    readonly scopes: readonly string[]
    readonly apiUrl: string | null
    readonly now: () => Date
    readonly log: Log
  },
): { readonly workspaces: Workspaces; readonly installs: readonly InstallRoute[] } => {
  const { apiUrl, now, log } = deps
  const { clientId, clientSecret, stateSecret } = settings
  const sealer = makeSealer(settings.keys)
  const store = async () => (await deps.ownStore()).store
  const rows = async () => (await store()).repositories.installations
  const forget = (team: string): void => accounts.forget(team)

  const refresh = makeRefreshToken({
    inTransaction: async work => (await store()).inTransaction(work),
    lock: async (team, tx) => (await rows()).lock(team, tx),
    storeTokens: async (team, tokens, tx) => (await rows()).storeTokens(team, tokens, tx),
    recordFailure: async (team, failure) => (await rows()).recordFailure(team, failure),
    exchange: makeExchangeRefreshToken({ clientId, clientSecret, apiUrl, now }),
    ...{ sealer, forget, now, log },
    pause: async ms => sleep(ms, undefined, { ref: false }),
  })
  const accounts = makeBotAccounts({
    // A workspace that is no longer listed is ignored, even if it installed the app.
    findInstallation: async team => (settings.allowed.includes(team) ? (await rows()).find(team) : null),
    ...{ refresh, sealer, now },
  })

  const makeCredentials = (team: string): SlackCredentials => ({
    token: async refused => {
      if (refused !== undefined) forget(team)
      return (await accounts.find(team)).token
    },
    apiUrl,
  })
  const credentialsByTeam = new Map<string, SlackCredentials>()
  const credentialsOf = (team: string): SlackCredentials => {
    const credentials = credentialsByTeam.get(team) ?? makeCredentials(team)
    credentialsByTeam.delete(team)
    credentialsByTeam.set(team, credentials)
    const [oldest] = credentialsByTeam.keys()
    if (credentialsByTeam.size > MAX_CACHED_CREDENTIALS && oldest !== undefined)
      credentialsByTeam.delete(oldest)
    return credentials
  }

  const refreshTokens = makeRefreshExpiringTokens({
    listExpiring: async before => (await rows()).listExpiring(before),
    ...{ refresh, now, log },
  })
  const judge = makeCheckInstallation(settings.allowed)
  return {
    installs: makeInstallRoutes({
      ...{ clientId, clientSecret, stateSecret, scopes: deps.scopes, apiUrl, checkInstallation: judge, log },
      claimState: async key => (await store()).repositories.inboundMessages.claim(key),
      storeInstallation: makeStoreInstallation({
        upsert: async installation => (await rows()).upsert(installation),
        ...{ check: judge, sealer, forget, now, log },
      }),
    }),
    workspaces: {
      authorization: { authorize: makeAuthorize(accounts.find) },
      apiUrl,
      credentialsOf,
      only: null,
      remove: makeRemoveInstallation({
        inTransaction: async work => (await store()).inTransaction(work),
        remove: async (team, by, tx) => (await rows()).remove(team, by, tx),
        pauseDigests: async (team, pause, tx) =>
          (await store()).repositories.digests.pauseTeam(team, pause, tx),
        ...{ forget, now, log },
      }),
      startTokenRefresh: async () => {
        void refreshTokens()
        const timer = setInterval(() => void refreshTokens(), REFRESH_EVERY_MS)
        timer.unref()
        return () => clearInterval(timer)
      },
    },
  }
}

/** The configured workspaces; `installs` if they install the app themselves. */
export const openWorkspaces = async (
  config: Config,
  { ownStore, log }: { readonly ownStore: () => Promise<OwnStore>; readonly log: Log },
): Promise<{ readonly workspaces: Workspaces; readonly installs: readonly InstallRoute[] | null }> => {
  const { botToken, apiUrl } = config.slack
  const settings = readWorkspacesSettings(config)
  if (settings) {
    const scopes = await readManifestScopes()
    return makeInstalledWorkspaces(settings, { ownStore, scopes, apiUrl, now: () => new Date(), log })
  }
  if (!botToken)
    throw new QuerentError(
      'bad-configuration',
      `Slack is not set up. Run ${ownCommand('init')}, or set SLACK_BOT_TOKEN, or SLACK_CLIENT_ID for several workspaces (docs/slack.md). To try the bot without Slack, run ${ownCommand('demo')}.`,
    )
  return { workspaces: makeSingleWorkspace({ token: botToken.reveal(), apiUrl }), installs: null }
}
