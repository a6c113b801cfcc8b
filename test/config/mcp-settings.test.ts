// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is what people write in querent.yml.
import { expect, it } from 'vitest'
import type { EnvironmentSource } from '../../src/config/env.ts'
import { listSecrets, loadConfig } from '../../src/config/load-config.ts'
import { makeFolder } from './make-folder.ts'

const shop = 'databases:\n  shop:\n    path: shop.sqlite\n'

const secret = 'a1'.repeat(20)

const load = (mcp: string, env: EnvironmentSource['env'] = {}) =>
  loadConfig({ env, cwd: makeFolder({ 'querent.yml': `${shop}mcp: ${mcp}\n` }) })

it('takes tokens from the environment, hides them from the log, and says who asks', () => {
  const config = load('{tokens: {ada: {token: "${ADA_MCP_TOKEN}", person: ada, databases: [shop]}}}', {
    ADA_MCP_TOKEN: secret,
  })
  expect(config.mcp.tokens.ada).toMatchObject({ person: 'ada', team: null, databases: ['shop'] })
  expect(config.mcp.tokens.ada?.token.reveal()).toBe(secret)
  expect(JSON.stringify(config.mcp)).not.toContain(secret)
  expect(listSecrets(config)).toContain(secret)
  expect(config.mcp.tokens.constructor).toBeUndefined()
})

it.each([
  ['{tokens: {ada: {token: short, person: ada}}}', 'mcp.tokens.ada.token must be at least 32 characters'],
  [`{tokens: {ada: {token: ${secret}}}}`, 'mcp.tokens.ada.person is missing'],
  [
    `{tokens: {ada: {token: ${secret}, person: ada, databases: [shops]}}}`,
    'mcp.tokens.ada.databases has "shops", which is not under databases. Did you mean shop?',
  ],
  [
    `{tokens: {ada: {token: ${secret}, person: ada}, bob: {token: ${secret}, person: bob}}}`,
    'mcp.tokens.bob has the same token as mcp.tokens.ada. Give each its own.',
  ],
  [
    `{tokens: {ada: {token: ${secret}, person: U012AB3CD, team: T012AB3CD}}}`,
    'mcp.tokens.ada.team needs SLACK_BOT_TOKEN or SLACK_CLIENT_ID',
  ],
  ['{slack: true}', 'mcp.slack needs SLACK_SIGNING_SECRET'],
])('refuses %s', (mcp, message) => {
  expect(() => load(mcp)).toThrow(message)
})

it('needs a Slack id for a token whose rights Slack decides', () => {
  const env = { SLACK_BOT_TOKEN: 'xoxb-1' }
  const token = (person: string) => `{tokens: {ada: {token: ${secret}, person: ${person}, team: T012AB3CD}}}`
  expect(() => load(token('ada'), env)).toThrow('person must be a Slack id')
  expect(load(token('U012AB3CD'), env).mcp.tokens.ada?.team).toBe('T012AB3CD')
})
