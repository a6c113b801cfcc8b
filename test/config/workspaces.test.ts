import { describe, expect, it } from 'vitest'
import { checkInstallations } from '../../src/cli/checks/check-slack.ts'
import { listSecrets, loadConfig } from '../../src/config/load-config.ts'
import { readWorkspacesSettings } from '../../src/config/workspaces.ts'
import type { Installation } from '../../src/domain/operations/workspace.ts'
import { makeSealer } from '../../src/store/sealer.ts'
import { sealCredentials } from '../../src/workspaces/bot-account.ts'
import { makeCheckInstallation } from '../../src/workspaces/installation.ts'
import { makeFolder } from './make-folder.ts'

const keyOf = (byte: number): string => Buffer.alloc(32, byte).toString('base64')

const env = {
  SLACK_CLIENT_ID: '1.2',
  SLACK_CLIENT_SECRET: 'a-client-secret',
  SLACK_STATE_SECRET: 's'.repeat(32),
  QUERENT_ENCRYPTION_KEYS: `new:${keyOf(1)},old:${keyOf(2)}`,
}

const configOf = (given: Readonly<Record<string, string>>) => {
  const cwd = makeFolder({ 'querent.yml': 'slack:\n  workspaces: [T0ACME]\n' })
  return loadConfig({ env: given, cwd })
}

const read = (given: Readonly<Record<string, string>>) => readWorkspacesSettings(configOf(given))

describe('the settings of several workspaces', () => {
  it('are null for a single workspace', () => {
    expect(read({ SLACK_BOT_TOKEN: 'xoxb-one' })).toBeNull()
  })

  it('are read with every key, the first one first', () => {
    expect(read(env)).toMatchObject({
      ...{ clientId: '1.2', clientSecret: 'a-client-secret', allowed: ['T0ACME'] },
      keys: [
        { id: 'new', key: Buffer.alloc(32, 1) },
        { id: 'old', key: Buffer.alloc(32, 2) },
      ],
    })
  })

  it('report what is missing, duplicated or contradictory', () => {
    expect(() => read({ SLACK_CLIENT_ID: '1.2', SLACK_STATE_SECRET: 's'.repeat(32) })).toThrow(
      'SLACK_CLIENT_ID needs SLACK_CLIENT_SECRET and QUERENT_ENCRYPTION_KEYS as well',
    )
    expect(() => read({ ...env, SLACK_BOT_TOKEN: 'xoxb-one' })).toThrow('set only one of them')
    const twice = `a:${keyOf(1)},a:${keyOf(2)}`
    expect(() => read({ ...env, QUERENT_ENCRYPTION_KEYS: twice })).toThrow('two keys called a')
  })

  it('accept only 32-byte keys, and never show one', () => {
    for (const bytes of [16, 31, 33])
      expect(() =>
        read({ ...env, QUERENT_ENCRYPTION_KEYS: `a:${Buffer.alloc(bytes).toString('base64')}` }),
      ).toThrow(/QUERENT_ENCRYPTION_KEYS must be a name and 32 bytes in base64[^,]*, as `openssl/)
    const secrets = listSecrets(configOf(env))
    for (const secret of [keyOf(1), keyOf(2), 'a-client-secret', 's'.repeat(32)])
      expect(secrets).toContain(secret)
  })
})

describe('whether a workspace may have the app', () => {
  const judge = makeCheckInstallation(['T0ACME'])
  const bot = {
    ...{ userId: 'U1', id: 'B1', scopes: [], expiresAt: null },
    credentials: { token: 'xoxb-a', refreshToken: null },
  }

  it('allows listed workspaces', () => {
    expect(judge({ team: 'T0ACME', teamName: 'acme', bot })).toEqual({ status: 'allowed' })
  })

  it.each([
    ['another one', { team: 'T0EVIL', teamName: 'evil', bot }, 'add T0EVIL to slack.workspaces'],
    ['a whole organisation', { team: null, teamName: 'big', bot }, 'each workspace'],
    ['one without a bot', { team: 'T0ACME', teamName: 'acme', bot: null }, 'manifest.yml'],
  ])('refuses %s', (_, asked, nextStep) => {
    expect(judge(asked)).toMatchObject({ status: 'refused', nextStep: expect.stringContaining(nextStep) })
  })
})

describe('doctor', () => {
  const keys = [{ id: 'a', key: Buffer.alloc(32, 1) }]
  const kept = (given: Partial<Installation> = {}): Installation => ({
    ...{ team: 'T0ACME', teamName: 'acme', botUserId: 'U1', botId: 'B1', scopes: [] },
    sealed: sealCredentials(makeSealer(keys), 'T0ACME', { token: 'xoxb-a', refreshToken: null }),
    ...{ expiresAt: null, installedAt: new Date(0), failure: null },
    ...given,
  })
  const sealedElsewhere = makeSealer([{ id: 'b', key: Buffer.alloc(32, 2) }]).seal('{}', 'x')

  it.each([
    ['ok', ['T0ACME'], [kept()], 'Installed in 1 workspace; 1 may have it.'],
    ['broken', ['T0ACME'], [kept({ sealed: sealedElsewhere })], 'cannot decrypt the tokens of acme (T0ACME)'],
    ['weak', ['T0ACME'], [kept({ failure: { reason: 'x', at: new Date(0) } })], 'could not be refreshed'],
    ['weak', [], [kept()], 'is not in slack.workspaces'],
    ['weak', [], [], 'No workspace may install the app.'],
  ] as const)('says %s of workspaces %j', (status, allowed, installations, finding) => {
    const found = checkInstallations({ keys, allowed }, installations)
    expect(found).toMatchObject({ status, finding: expect.stringContaining(finding) })
  })
})
