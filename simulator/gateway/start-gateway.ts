import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The handler of requests; set once everything behind the gateway is ready. */
export type HandleRequest = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>

/** The one address of the simulator, for the bot and for browsers. Loopback only. */
interface Gateway {
  readonly url: string
  serve(handle: HandleRequest): void
  close(): Promise<void>
}

export const startGateway = async (port: number): Promise<Gateway> => {
  let handle: HandleRequest | null = null
  const server = createServer((request, response) => {
    if (!isOwn(request)) {
      response.writeHead(403).end('the simulator answers its own page and programs of this machine only')
      return
    }
    if (!handle) {
      response.writeHead(503).end('the simulator is starting')
      return
    }
    handle(request, response, new URL(request.url ?? '/', 'http://localhost')).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500)
      response.end(`the simulator failed: ${error instanceof Error ? error.message : String(error)}`)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    serve: given => {
      handle = given
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/**
 * Whether a request comes from the simulator's own page or from a program of this machine. Other web pages, also those of
 * other ports, can reach us through a browser. Their origin gives them away, or the name under which they found us.
 */
const isOwn = ({ headers, socket }: IncomingMessage): boolean => {
  const port = socket.localPort
  if (headers.host !== `127.0.0.1:${port}` && headers.host !== `localhost:${port}`) return false
  if (headers.origin !== undefined) return headers.origin === `http://${headers.host}`
  // Without an origin, such as pictures and scripts. A link to the page may be anywhere.
  const site = headers['sec-fetch-site']
  return site === undefined || ['same-origin', 'none'].includes(String(site)) || isLink(headers)
}

const isLink = (headers: IncomingMessage['headers']): boolean =>
  headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
