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

/**
 * Hangs up once a request is answered whose body has not all come. Without this, Node reads the rest, however long it
 * is, and throws it away.
 */
export const dropUnreadBody = (
  request: { readonly complete: boolean; destroy(): unknown },
  response: { once(event: 'finish', listener: () => void): unknown },
): void => {
  response.once('finish', () => {
    if (!request.complete) request.destroy()
  })
}
