import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isFromThisMachine } from './is-from-this-machine.ts'

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
    if (!isFromThisMachine(request)) {
      response.writeHead(403).end('the simulator is for this machine only')
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
