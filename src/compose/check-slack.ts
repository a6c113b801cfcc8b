import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import type { Config } from '../config/config.ts'
import type { Check } from './check.ts'

const TIMEOUT_MS = 10_000

const manifest = z.object({ oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }) })
const authTest = z.object({ ok: z.boolean(), error: z.string().optional(), team: z.string().optional() })

/** Asks Slack who the token is, and compares its scopes with those of manifest.yml. */
export const checkSlack = async (config: Config, signal: AbortSignal): Promise<Omit<Check, 'part'>> => {
  const { botToken, signingSecret, appToken, apiUrl } = config.slack
  if (!botToken) return { status: 'not-set', finding: 'SLACK_BOT_TOKEN is not set.' }
  const base = (apiUrl ?? 'https://slack.com/api').replace(/\/$/, '')
  const response = await fetch(`${base}/auth.test`, {
    method: 'POST',
    headers: { authorization: `Bearer ${botToken.reveal()}` },
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  })
  const reply = authTest.safeParse(await response.json().catch(() => null)).data
  if (!reply)
    return {
      status: 'broken',
      finding: `${base} answered ${response.status} with something that Slack does not say.`,
      todo: 'Check SLACK_API_URL, and whether a proxy stands between.',
    }
  if (!reply.ok) {
    return {
      status: 'broken',
      finding: `Slack refuses the token: ${reply.error}`,
      todo: 'Install the app again and copy its token.',
    }
  }
  const missing = await missingScopes(response.headers.get('x-oauth-scopes'))
  if (missing.length > 0) {
    return {
      status: 'broken',
      finding: `The token lacks scopes: ${missing.join(', ')}`,
      todo: 'Bring the app in line with manifest.yml and install it again.',
    }
  }
  if (!signingSecret && !appToken) {
    return {
      status: 'broken',
      finding: 'The token works, but Slack has no way to reach the bot.',
      todo: 'Set SLACK_APP_TOKEN for Socket Mode, or SLACK_SIGNING_SECRET for HTTP.',
    }
  }
  return { status: 'ok', finding: `The token works in ${reply.team ?? 'its workspace'} and has every scope.` }
}

/** Scopes of the manifest that the token does not have; none where Slack does not tell what it has. */
const missingScopes = async (granted: string | null): Promise<string[]> => {
  if (granted === null) return []
  const text = await readFile(join(import.meta.dirname, '../../manifest.yml'), 'utf8')
  const has = new Set(granted.split(',').map(scope => scope.trim()))
  return manifest.parse(parse(text)).oauth_config.scopes.bot.filter(scope => !has.has(scope))
}
