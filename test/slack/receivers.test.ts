import { App } from '@slack/bolt'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../simulator/free-port.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import type { InstallRoute } from '../../src/slack/installs/routes.ts'
import { makeBoltLogger, makeHttpReceiver, makeSocketModeReceiver } from '../../src/slack/receivers.ts'
import { startTeamsSlack } from '../workspaces/start-teams-slack.ts'

const logger = makeBoltLogger(silentLog)

const routes: InstallRoute[] = [
  { path: '/slack/install', method: 'GET', handler: (_, response) => void response.end('here') },
]

/** Which of two addresses of this machine answer. */
const answering = async (port: number): Promise<readonly string[]> => {
  const found: string[] = []
  for (const address of ['127.0.0.1', '127.0.0.2']) {
    const answer = await fetch(`http://${address}:${port}/slack/install`).catch(() => null)
    if (answer?.ok) found.push(address)
  }
  return found
}

// On a Mac, 127.0.0.2 is no address of the machine.
describe.skipIf(process.platform !== 'linux')('where Slack and browsers reach the bot', () => {
  it.each([
    ['127.0.0.1', ['127.0.0.1']],
    [null, ['127.0.0.1', '127.0.0.2']],
  ])('over HTTP with host %s', async (host, expected) => {
    const port = await freePort()
    const receiver = makeHttpReceiver({ signingSecret: 's'.repeat(32), port, host, logger, installs: routes })
    const app = new App({ receiver, token: 'xoxb-1', logger, tokenVerificationEnabled: false })
    await app.start()
    expect(await answering(port)).toEqual(expected)
    await app.stop()
  })

  it.each([
    ['127.0.0.1', ['127.0.0.1']],
    [null, ['127.0.0.1', '127.0.0.2']],
  ])('with Socket Mode and host %s', async (host, expected) => {
    await using slack = await startTeamsSlack([])
    const port = await freePort()
    const installs = { routes, port, host }
    const receiver = makeSocketModeReceiver({ appToken: 'xapp-1', logger, apiUrl: slack.apiUrl, installs })
    await expect(receiver.start()).rejects.toThrow('invalid_auth')
    expect(await answering(port)).toEqual(expected)
    await receiver.stop()
  })

  it('says what to set if the address is not of this machine', async () => {
    const host = '192.0.2.1'
    const receiver = makeHttpReceiver({ signingSecret: 's'.repeat(32), port: 3000, host, logger })
    await expect(receiver.start(3000)).rejects.toThrow(
      'cannot listen for Slack on 192.0.2.1:3000 (EADDRNOTAVAIL). Set slack.port to a free port, and slack.host',
    )
  })
})
