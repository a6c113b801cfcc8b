import { expect, it } from 'vitest'
import { freePort } from '../../simulator/free-port.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import { makeInstallRoutes } from '../../src/slack/installs/routes.ts'
import { makeBoltLogger, makeSocketModeReceiver } from '../../src/slack/receivers.ts'
import { APP, startTeamsSlack } from './start-teams-slack.ts'

it('serves the pages of the installation beside its socket', async () => {
  await using slack = await startTeamsSlack([])
  const port = await freePort()
  const routes = makeInstallRoutes({
    ...{
      ...APP,
      stateSecret: 's'.repeat(32),
      scopes: ['chat:write', 'commands'],
      apiUrl: slack.apiUrl,
      log: silentLog,
    },
    checkInstallation: () => ({ status: 'allowed' }),
    storeInstallation: async () => {},
    claimState: async () => true,
  })
  const common = { appToken: 'xapp-of-nobody', logger: makeBoltLogger(silentLog), apiUrl: slack.apiUrl }
  const receiver = makeSocketModeReceiver({ ...common, installs: { routes, port, host: '127.0.0.1' } })
  // The fake opens no socket, and says so; the pages are there all the same.
  await expect(receiver.start()).rejects.toThrow('invalid_auth')
  const page = await fetch(`http://127.0.0.1:${port}/slack/install`)
  const said = await page.text()
  expect(page.status).toBe(200)
  expect(said).toContain('https://slack.com/oauth/v2/authorize')
  expect(said).toContain('chat%3Awrite%2Ccommands')
  expect((await fetch(`http://127.0.0.1:${port}/anything`)).status).toBe(404)
  await receiver.stop()
  await expect(fetch(`http://127.0.0.1:${port}/slack/install`)).rejects.toThrow('fetch failed')
  expect(slack.problems).toEqual(['apps.connections.open: an unknown token'])
})
