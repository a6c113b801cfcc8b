import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { App, HTTPReceiver, LogLevel } from '@slack/bolt'
import type { Simulator } from '../../simulator/simulator.ts'

/** A bot of a few listeners, over HTTP, that answers Slack only when its listeners are done. */
export interface TinyBot extends AsyncDisposable {
  readonly app: App
}

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, setLevel: () => {} }

/** Starts a Bolt app against a simulator and tells the simulator where it is. Listeners are added by `register`. */
export const startTinyBot = async (
  simulator: Simulator,
  register: (app: App) => void,
  options: { readonly signingSecret?: string; readonly unheardAfterMs?: number } = {},
): Promise<TinyBot> => {
  const logger = { ...quiet, getLevel: () => LogLevel.ERROR, setName: () => {} }
  const port = await findFreePort()
  const receiver = new HTTPReceiver({
    signingSecret: options.signingSecret ?? simulator.signingSecret,
    port,
    logger,
    processBeforeResponse: true,
    endpoints: ['/slack/events'],
    unhandledRequestTimeoutMillis: options.unheardAfterMs ?? 3_001,
  })
  const app = new App({
    receiver,
    token: simulator.botToken,
    logger,
    clientOptions: { slackApiUrl: simulator.apiUrl, retryConfig: { retries: 1, minTimeout: 1 } },
  })
  app.error(async error => {
    throw error
  })
  register(app)
  await app.start()
  simulator.setBotUrl(`http://127.0.0.1:${port}/slack/events`)
  return { app, [Symbol.asyncDispose]: async () => void (await app.stop()) }
}

/** The receiver wants to know its port beforehand. */
const findFreePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}
