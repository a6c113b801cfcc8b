import { type Logger, type Receiver, SocketModeReceiver } from '@slack/bolt'
import { deferAck } from './defer-ack.ts'

/** Requests over a web socket that we open: no public address needed. Acknowledged only after the listeners. */
export const makeSocketModeReceiver = (options: {
  readonly appToken: string
  readonly logger: Logger
}): Receiver => deferAck(new SocketModeReceiver({ appToken: options.appToken, logger: options.logger }))
