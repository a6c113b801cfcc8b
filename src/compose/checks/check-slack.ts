import { z } from 'zod'
import type { Config } from '../../config/config.ts'
import type { Installation } from '../../core/installation.ts'
import { readWorkspacesSettings } from '../slack/workspaces-settings.ts'
import type { Check } from './check.ts'
import { checkInstallations } from './check-installations.ts'
import { readManifestScopes } from './manifest-scopes.ts'

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
