import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { checkReceiver, checkSlack } from '../../../src/cli/checks/check-slack.ts'
import { makeSecret } from '../../../src/config/config.ts'
import { loadConfig } from '../../../src/config/load-config.ts'
import { type Said, startAnswering } from '../../bootstrap/start-answering.ts'
import { makeFolder } from '../../config/make-folder.ts'

/** With the token of one workspace nothing is read of others. */
const notRead = async () => {
  throw new Error('installations were read')
}

const scopes: readonly string[] = parse(
  await readFile(new URL('../../../manifest.yml', import.meta.url), 'utf8'),
).oauth_config.scopes.bot

const check = async (said: Said, env: Record<string, string> = { SLACK_APP_TOKEN: 'xapp-1' }) => {
  await using slack = await startAnswering(said)
  const config = loadConfig({
    cwd: makeFolder(),
    env: { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_API_URL: `${slack.url}/api`, ...env },
  })
  return { ...(await checkSlack(config, AbortSignal.timeout(10_000), notRead)), asked: slack.asked }
}

const granting = (granted: readonly string[]): Said => ({
  headers: { 'x-oauth-scopes': granted.join(',') },
  body: { ok: true, team: 'Acme' },
})

it('is not set without a token, and calls nothing', async () => {
  const config = loadConfig({ cwd: makeFolder(), env: {} })
  expect((await checkSlack(config, AbortSignal.timeout(10_000), notRead)).status).toBe('not-set')
})

it('is ok if the token works and has every scope of the manifest', async () => {
  const found = await check(granting(scopes))
  expect(found).toMatchObject({ status: 'ok', finding: expect.stringContaining('Acme') })
  expect(found.asked).toMatchObject([
    { method: 'POST', url: '/api/auth.test', headers: { authorization: 'Bearer xoxb-1' } },
    { method: 'POST', url: '/api/apps.connections.open', headers: { authorization: 'Bearer xapp-1' } },
  ])
})

it('names the scopes that the token lacks', async () => {
  const found = await check(granting(scopes.slice(2)))
  expect(found).toMatchObject({ status: 'broken', todo: expect.stringContaining('manifest.yml') })
  for (const scope of scopes.slice(0, 2)) expect(found.finding).toContain(scope)
  expect(found.finding).not.toContain(scopes[2])
})

it('shows the error if Slack refuses a token', async () => {
  const found = await check({ body: { ok: false, error: 'token_revoked' } })
  expect(found).toMatchObject({ status: 'broken', finding: 'Slack refuses the token: token_revoked' })
})

it('is broken if Slack cannot reach the bot', async () => {
  const found = await check(granting(scopes), {})
  expect(found).toMatchObject({ status: 'broken', todo: expect.stringContaining('SLACK_APP_TOKEN') })
})

it("knows an answer that is not Slack's", async () => {
  const found = await check({ status: 502, body: '<html>Bad gateway</html>' })
  expect(found).toMatchObject({ status: 'broken', finding: expect.stringContaining('answered 502') })
})

it('is broken if the app-level token opens no socket', async () => {
  await using slack = await startAnswering({ body: { ok: false, error: 'not_allowed_token_type' } })
  const found = await checkReceiver(
    { apiUrl: `${slack.url}/api/`, appToken: makeSecret('xapp-1'), signingSecret: null },
    AbortSignal.timeout(10_000),
  )
  expect(found).toMatchObject({ status: 'broken', todo: expect.stringContaining('connections:write') })
  expect(found.finding).toContain('not_allowed_token_type')
})

it('does not ask Slack about a signing secret', async () => {
  const found = await check(granting(scopes), { SLACK_SIGNING_SECRET: 'abc' })
  expect(found.status).toBe('ok')
  expect(found.asked.map(({ url }) => url)).toEqual(['/api/auth.test'])
})
