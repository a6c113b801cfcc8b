import { z } from 'zod'
import type { Config } from '../../config/config.ts'
import {
  readManifestScopes,
  readWorkspacesSettings,
  type WorkspacesSettings,
} from '../../config/workspaces.ts'
import type { Installation } from '../../domain/operations/workspace.ts'
import { makeSealer } from '../../store/sealer.ts'
import { openCredentials } from '../../workspaces/bot-account.ts'
import { slackFindings } from '../copy/operations.ts'
import type { Check } from './checks.ts'

const TIMEOUT_MS = 10_000

/** The result of checking one part of the Slack settings. */
export type SlackFinding = Omit<Check, 'part'>

const apiReply = z.object({ ok: z.boolean(), error: z.string().optional(), team: z.string().optional() })

/**
 * Checks the bot's token with Slack, compares its scopes with manifest.yml, and checks how Slack reaches the bot. If
 * workspaces install the app themselves, it checks their tokens, which `listInstallations` reads.
 */
export const checkSlack = async (
  config: Config,
  signal: AbortSignal,
  listInstallations: () => Promise<readonly Installation[]>,
): Promise<SlackFinding> => {
  const { slack } = config
  const settings = readWorkspacesSettings(config)
  if (settings) {
    const found = checkInstallations(settings, await listInstallations())
    if (found.status === 'broken') return found
    const receiver = await checkReceiver(slack, signal)
    return receiver.status === 'ok' ? found : receiver
  }
  if (!slack.botToken) return { status: 'not-set', finding: slackFindings.notSet }
  const bot = await checkBotToken(slack, signal)
  if (bot.status !== 'ok') return bot
  const receiver = await checkReceiver(slack, signal)
  return receiver.status === 'ok' ? bot : receiver
}

/** Checks that Slack accepts the bot's token, and that it has every scope. */
export const checkBotToken = async (
  slack: Pick<Config['slack'], 'botToken' | 'apiUrl'>,
  signal: AbortSignal,
): Promise<SlackFinding> => {
  const { reply, unread, headers } = await call(slack, 'auth.test', slack.botToken?.reveal() ?? '', signal)
  if (!reply) return unread
  if (!reply.ok) {
    return {
      status: 'broken',
      finding: slackFindings.refused(reply.error),
      todo: slackFindings.reinstall,
    }
  }
  const missing = await missingScopes(headers.get('x-oauth-scopes'))
  if (missing.length > 0) {
    return {
      status: 'broken',
      finding: slackFindings.missingScopes(missing),
      todo: slackFindings.updateApp,
    }
  }
  return { status: 'ok', finding: slackFindings.ok(reply.team) }
}

/** Checks how Slack reaches the bot: with an app-level token that opens a socket, or a signing secret for HTTP. */
export const checkReceiver = async (
  slack: Pick<Config['slack'], 'appToken' | 'signingSecret' | 'apiUrl'>,
  signal: AbortSignal,
): Promise<SlackFinding> => {
  if (slack.appToken) {
    const { reply, unread } = await call(slack, 'apps.connections.open', slack.appToken.reveal(), signal)
    if (!reply) return unread
    if (reply.ok) return { status: 'ok', finding: slackFindings.socketOk }
    return {
      status: 'broken',
      finding: slackFindings.noSocket(reply.error),
      todo: slackFindings.makeAppToken,
    }
  }
  if (slack.signingSecret) return { status: 'ok', finding: slackFindings.secretSet }
  return {
    status: 'broken',
    finding: slackFindings.noReceiver,
    todo: slackFindings.setReceiver,
  }
}

const call = async (
  { apiUrl }: Pick<Config['slack'], 'apiUrl'>,
  method: string,
  token: string,
  signal: AbortSignal,
) => {
  const base = (apiUrl ?? 'https://slack.com/api').replace(/\/$/, '')
  const response = await fetch(`${base}/${method}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  })
  const unread: SlackFinding = {
    status: 'broken',
    finding: slackFindings.notSlack(base, response.status),
    todo: slackFindings.checkProxy,
  }
  const reply = apiReply.safeParse(await response.json().catch(() => null)).data ?? null
  return { reply, unread, headers: response.headers }
}

/** Scopes of the manifest that the token lacks; none if Slack does not say which it has. */
const missingScopes = async (granted: string | null): Promise<string[]> => {
  if (granted === null) return []
  const has = new Set(granted.split(',').map(scope => scope.trim()))
  return (await readManifestScopes()).filter(scope => !has.has(scope))
}

/** Checks that the tokens of all workspaces can be decrypted and refreshed, and which workspaces may have the app. */
export const checkInstallations = (
  { keys, allowed }: Pick<WorkspacesSettings, 'keys' | 'allowed'>,
  installations: readonly Installation[],
): Omit<Check, 'part'> => {
  const sealer = makeSealer(keys)
  const canDecrypt = ({ team, sealed }: Installation): boolean => {
    try {
      openCredentials(sealer, team, sealed)
      return true
    } catch {
      return false
    }
  }
  const undecryptable = installations.filter(one => !canDecrypt(one))
  if (undecryptable.length > 0)
    return {
      status: 'broken',
      finding: slackFindings.undecryptable(namesOf(undecryptable)),
      todo: slackFindings.restoreKey,
    }
  const failed = installations.filter(({ failure }) => failure !== null)
  if (failed.length > 0)
    return {
      status: 'weak',
      finding: slackFindings.notRefreshed(namesOf(failed)),
      todo: slackFindings.waitForRefresh,
    }
  if (allowed.length === 0 && installations.length === 0)
    return {
      status: 'weak',
      finding: slackFindings.noneAllowed,
      todo: slackFindings.allowOne,
    }
  const notAllowed = installations.filter(({ team }) => !allowed.includes(team))
  if (notAllowed.length > 0)
    return {
      status: 'weak',
      finding: slackFindings.notAllowed(namesOf(notAllowed)),
      todo: slackFindings.allowOrRemove,
    }
  return { status: 'ok', finding: slackFindings.installed(installations.length, allowed.length) }
}

const namesOf = (some: readonly Installation[]): string =>
  some.map(({ team, teamName }) => slackFindings.workspace(teamName, team)).join(', ')
