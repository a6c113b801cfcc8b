import { z } from 'zod'
import {
  readManifestScopes,
  readWorkspacesSettings,
  type WorkspacesSettings,
} from '../../bootstrap/slack/workspace-settings.ts'
import type { Config } from '../../config/config.ts'
import type { Installation } from '../../domain/operations/workspace.ts'
import { makeSealer } from '../../store/sealer.ts'
import { openCredentials } from '../../workspaces/credentials.ts'
import type { Check } from './checks.ts'

const TIMEOUT_MS = 10_000

/** What a look at one part of Slack found. */
export type SlackFinding = Omit<Check, 'part'>

const apiReply = z.object({ ok: z.boolean(), error: z.string().optional(), team: z.string().optional() })

/**
 * Asks Slack who the bot's token is, compares its scopes with those of manifest.yml, and looks how Slack reaches the bot.
 * Where workspaces install the app themselves, looks at what they have left: `listInstallations` reads it.
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
    const way = await checkReceiver(slack, signal)
    return way.status === 'ok' ? found : way
  }
  if (!slack.botToken) return { status: 'not-set', finding: 'SLACK_BOT_TOKEN is not set.' }
  const bot = await checkBotToken(slack, signal)
  if (bot.status !== 'ok') return bot
  const way = await checkReceiver(slack, signal)
  return way.status === 'ok' ? bot : way
}

/** The bot's token: whether Slack knows it, and whether it has every scope. */
export const checkBotToken = async (
  slack: Pick<Config['slack'], 'botToken' | 'apiUrl'>,
  signal: AbortSignal,
): Promise<SlackFinding> => {
  const { reply, unread, headers } = await call(slack, 'auth.test', slack.botToken?.reveal() ?? '', signal)
  if (!reply) return unread
  if (!reply.ok) {
    return {
      status: 'broken',
      finding: `Slack refuses the token: ${reply.error}`,
      todo: 'Install the app again and copy its token.',
    }
  }
  const missing = await missingScopes(headers.get('x-oauth-scopes'))
  if (missing.length > 0) {
    return {
      status: 'broken',
      finding: `The token lacks scopes: ${missing.join(', ')}`,
      todo: 'Bring the app in line with manifest.yml and install it again.',
    }
  }
  return { status: 'ok', finding: `The token works in ${reply.team ?? 'its workspace'} and has every scope.` }
}

/** How Slack reaches the bot: an app-level token that opens a socket, or a signing secret, which only a request can try. */
export const checkReceiver = async (
  slack: Pick<Config['slack'], 'appToken' | 'signingSecret' | 'apiUrl'>,
  signal: AbortSignal,
): Promise<SlackFinding> => {
  if (slack.appToken) {
    const { reply, unread } = await call(slack, 'apps.connections.open', slack.appToken.reveal(), signal)
    if (!reply) return unread
    if (reply.ok) return { status: 'ok', finding: 'The app-level token opens a socket.' }
    return {
      status: 'broken',
      finding: `Slack opens no socket for the app-level token: ${reply.error}`,
      todo: 'Make one under Basic Information, App-Level Tokens, with the scope connections:write, and switch Socket Mode on.',
    }
  }
  if (slack.signingSecret)
    return { status: 'ok', finding: 'The signing secret is set; the first request tries it.' }
  return {
    status: 'broken',
    finding: 'The token works, but Slack has no way to reach the bot.',
    todo: 'Set SLACK_APP_TOKEN for Socket Mode, or SLACK_SIGNING_SECRET for HTTP.',
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
    finding: `${base} answered ${response.status} with something that Slack does not say.`,
    todo: 'Check SLACK_API_URL, and whether a proxy stands between.',
  }
  const reply = apiReply.safeParse(await response.json().catch(() => null)).data ?? null
  return { reply, unread, headers: response.headers }
}

/** Scopes of the manifest that the token does not have; none where Slack does not tell what it has. */
const missingScopes = async (granted: string | null): Promise<string[]> => {
  if (granted === null) return []
  const has = new Set(granted.split(',').map(scope => scope.trim()))
  return (await readManifestScopes()).filter(scope => !has.has(scope))
}

/** Whether the tokens of all workspaces can be opened and exchanged, and whether any workspace may have the app. */
export const checkInstallations = (
  { keys, allowed }: Pick<WorkspacesSettings, 'keys' | 'allowed'>,
  installations: readonly Installation[],
): Omit<Check, 'part'> => {
  const sealer = makeSealer(keys)
  const opens = ({ team, sealed }: Installation): boolean => {
    try {
      openCredentials(sealer, team, sealed)
      return true
    } catch {
      return false
    }
  }
  const closed = installations.filter(one => !opens(one))
  if (closed.length > 0)
    return {
      status: 'broken',
      finding: `The tokens of ${namesOf(closed)} cannot be opened with QUERENT_ENCRYPTION_KEYS.`,
      todo: 'Put the key back that sealed them, behind the others; where it is lost, install the app there again.',
    }
  const failed = installations.filter(({ failure }) => failure !== null)
  if (failed.length > 0)
    return {
      status: 'weak',
      finding: `The tokens of ${namesOf(failed)} could not be exchanged; \`installations list\` says why.`,
      todo: 'It is tried again every ten minutes. Once they have expired, install the app there again.',
    }
  if (allowed.length === 0 && installations.length === 0)
    return {
      status: 'weak',
      finding: 'No workspace may install the app.',
      todo: 'Name the ids of workspaces under slack.workspaces in querent.yml.',
    }
  const stray = installations.filter(({ team }) => !allowed.includes(team))
  if (stray.length > 0)
    return {
      status: 'weak',
      finding: `${namesOf(stray)} has installed the app, but slack.workspaces does not name it: nothing there is answered.`,
      todo: 'Name it there, or remove it: npm run -s querent -- installations remove ID.',
    }
  const count = installations.length
  return {
    status: 'ok',
    finding: `Installed in ${count} ${count === 1 ? 'workspace' : 'workspaces'}; ${allowed.length} may have it.`,
  }
}

const namesOf = (some: readonly Installation[]): string =>
  some.map(({ team, teamName }) => `${teamName} (${team})`).join(', ')
