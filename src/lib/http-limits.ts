/** Milliseconds for the headers, and for the whole of a request, at every HTTP port of ours. */
export const httpPatience = {
  headersTimeout: 5_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 1_000,
} as const

/** Open connections of one port. */
const MOST_CONNECTIONS = 500

/** Limits how many connections a server holds. */
export const limitConnections = (server: { maxConnections: number }): void => {
  server.maxConnections = MOST_CONNECTIONS
}

/** After an early answer a client may go on sending for this long, and this many bytes. */
const LINGER_MS = 1_000
const LINGER_BYTES = 1_000_000

const LOOK_EVERY_MS = 50

/** What is needed of Node's IncomingMessage. */
interface HttpRequest {
  readonly complete: boolean
  readonly socket: { readonly bytesRead: number; readonly destroyed: boolean; destroy(): unknown }
}

/**
 * Hangs up soon after a request is answered whose body has not all come: Node would read the rest, however long it is,
 * and throw it away. Not at once, since a connection that is closed on bytes nobody read is reset, and the answer is lost
 * on its way.
 */
export const dropUnreadBody = (
  request: HttpRequest,
  response: { once(event: 'finish', listener: () => void): unknown },
): void => {
  response.once('finish', () => {
    if (request.complete) return
    const { socket } = request
    const [until, upTo] = [performance.now() + LINGER_MS, socket.bytesRead + LINGER_BYTES]
    // What Node throws away comes in no event.
    const timer = setInterval(() => {
      if (request.complete || socket.destroyed) clearInterval(timer)
      else if (performance.now() > until || socket.bytesRead > upTo) socket.destroy()
    }, LOOK_EVERY_MS)
  })
}
