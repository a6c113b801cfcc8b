import { type Logger, SocketModeReceiver } from '@slack/bolt'
import type { SlackReceiver } from '../app.ts'
import type { InstallRoute } from '../installs/install-routes.ts'
import { deferAck } from './defer-ack.ts'
import { trackConnection } from './watch-socket.ts'

/** Requests over a web socket that we open: no public address needed. Acknowledged only after the listeners. */
export const makeSocketModeReceiver = (options: {
  readonly appToken: string
  readonly logger: Logger
  /** Another address of the Web API, which tells where the socket is; null for Slack's own. */
  readonly apiUrl: string | null
  /** For an app that workspaces install themselves: browsers do need an address, and find these at its port. */
  readonly installs?: { readonly routes: readonly InstallRoute[]; readonly port: number }
}): SlackReceiver => {
  const { appToken, logger, apiUrl, installs } = options
  const receiver = new SocketModeReceiver({
    ...{ appToken, logger, customRoutes: [...(installs?.routes ?? [])] },
    installerOptions: {
      ...(installs && { port: installs.port }),
      ...(apiUrl && { clientOptions: { slackApiUrl: apiUrl } }),
    },
  })
  return { ...deferAck(receiver), isConnected: trackConnection(receiver.client) }
}
