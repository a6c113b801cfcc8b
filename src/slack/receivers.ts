import {
  type App,
  type HTTPReceiver,
  type Logger,
  LogLevel,
  type Receiver,
  type ReceiverEvent,
  SocketModeReceiver,
} from '@slack/bolt'
import type { Log } from '../domain/operations/telemetry.ts'
import type { SlackReceiver } from './app.ts'
import type { InstallRoute } from './installs/routes.ts'
import { makeLimitedReceiver } from './limit-requests.ts'

/**
 * Requests over HTTP. The response waits for the listeners (`processBeforeResponse`), so Slack gets 200 only once the
 * question is stored; a listener that throws becomes a 500, and Slack delivers again.
 */
export const makeHttpReceiver = (options: {
  readonly signingSecret: string
  readonly port: number
  /** The address to listen on; null for all addresses of this machine. */
  readonly host: string | null
  readonly logger: Logger
  /** For an app that workspaces install themselves. */
  readonly installs?: readonly InstallRoute[]
}): HTTPReceiver =>
  makeLimitedReceiver(
    {
      signingSecret: options.signingSecret,
      port: options.port,
      logger: options.logger,
      processBeforeResponse: true,
      endpoints: ['/slack/events'],
      customRoutes: [...(options.installs ?? [])],
    },
    options.host,
  )

/** Requests over a web socket that we open: no public address needed. Acknowledged only after the listeners. */
export const makeSocketModeReceiver = (options: {
  readonly appToken: string
  readonly logger: Logger
  /** Another address of the Web API, which knows where the socket is; null for Slack's own. */
  readonly apiUrl: string | null
  /** For an app that workspaces install themselves: browsers need an address, and find these routes at its port. */
  readonly installs?: {
    readonly routes: readonly InstallRoute[]
    readonly port: number
    readonly host: string | null
  }
}): SlackReceiver => {
  const { appToken, logger, apiUrl, installs } = options
  const receiver = new SocketModeReceiver({
    ...{ appToken, logger, customRoutes: [...(installs?.routes ?? [])] },
    installerOptions: {
      ...(installs && { port: installs.port }),
      ...(apiUrl && { clientOptions: { slackApiUrl: apiUrl } }),
    },
  })
  // Bolt has no setting for the address. What it keeps as the port is what it gives to `listen`, which takes both.
  if (installs?.host)
    Object.assign(receiver, { httpServerPort: { port: installs.port, host: installs.host } })
  return { ...deferAck(receiver), isConnected: trackConnection(receiver.client) }
}

/**
 * Holds the acknowledgement of every event until its listeners are done, and drops it when one of them throws:
 * Slack then delivers again. Bolt acknowledges events before any listener runs, so without this a crash between
 * the acknowledgement and the commit would lose the question. HTTP has `processBeforeResponse` for the same end.
 */
export const deferAck = (receiver: Receiver): Receiver => ({
  init: app => {
    const deferring: App = Object.create(app, {
      processEvent: { value: (event: ReceiverEvent) => processThenAck(app, event) },
    })
    receiver.init(deferring)
  },
  start: (...args) => receiver.start(...args),
  stop: (...args) => receiver.stop(...args),
})

const processThenAck = async (app: App, event: ReceiverEvent): Promise<void> => {
  let acknowledged: { readonly response: unknown } | null = null
  await app.processEvent({
    ...event,
    ack: async response => {
      acknowledged ??= { response }
    },
  })
  const held = acknowledged as { readonly response: unknown } | null
  if (held) await event.ack(held.response as Parameters<ReceiverEvent['ack']>[0])
}

/** The events of Slack's Socket Mode client. */
interface SocketEvents {
  on(event: 'connected' | 'reconnecting' | 'disconnecting' | 'disconnected', listener: () => void): unknown
}

/** Tracks a socket. The returned function says whether it is connected now. */
export const trackConnection = (socket: SocketEvents): (() => boolean) => {
  let isConnected = false
  socket.on('connected', () => {
    isConnected = true
  })
  for (const event of ['reconnecting', 'disconnecting', 'disconnected'] as const) {
    socket.on(event, () => {
      isConnected = false
    })
  }
  return () => isConnected
}

/** Writes Bolt's log lines to our log, but for its debug lines: they hold whole requests, with questions and values. */
export const makeBoltLogger = (log: Log): Logger => {
  const join = (parts: readonly unknown[]): string => parts.map(String).join(' ')
  return {
    debug: () => {},
    info: (...parts) => log.info({ from: 'bolt' }, join(parts)),
    warn: (...parts) => log.warn({ from: 'bolt' }, join(parts)),
    error: (...parts) => log.error({ from: 'bolt' }, join(parts)),
    setLevel: () => {},
    getLevel: () => LogLevel.WARN,
    setName: () => {},
  }
}
