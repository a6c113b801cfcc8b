import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'

/** A server of a test that says back what it was told, as careless ones do. */
export interface EchoingServer extends AsyncDisposable {
  readonly port: number
  /** Bodies of requests so far. */
  readonly bodies: readonly string[]
}

/** Turns every request away with 401, quoting the credentials in its own words and in full. */
export const startEchoingModel = async (): Promise<EchoingServer> => {
  const bodies: string[] = []
  const server = createHttpServer((request, response) => {
    const sent = request.headers.authorization ?? String(request.headers['x-api-key'] ?? '')
    const key = sent.replace(/^Bearer /, '')
    request.on('data', chunk => void bodies.push(String(chunk)))
    request.on('end', () => {
      const message = `Incorrect API key provided: ${key} (header "${sent}", ${encodeURIComponent(key)}).`
      response.writeHead(401, { 'content-type': 'application/json', 'set-cookie': `session=${key}` })
      response.end(
        JSON.stringify({ error: { message, type: 'invalid_request_error', code: 'invalid_api_key' } }),
      )
    })
  })
  return listen(server, bodies)
}

/** Takes every request, and keeps its body: a collector of spans. */
export const startCollector = async (): Promise<EchoingServer> => {
  const bodies: string[] = []
  const server = createHttpServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => void chunks.push(chunk))
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString('latin1'))
      response.end('{}')
    })
  })
  return listen(server, bodies)
}

/** Speaks Postgres only so far as to ask for a password in plain text, and to quote it when it turns it away. */
export const startEchoingPostgres = async (): Promise<EchoingServer> => {
  const bodies: string[] = []
  const server = createServer(socket => {
    socket.on('error', () => {})
    let isAsked = false
    socket.on('data', data => {
      if (!isAsked) {
        isAsked = true
        socket.write(message('R', Buffer.from([0, 0, 0, 3])))
        return
      }
      const password = data.subarray(5).toString().replaceAll('\0', '')
      const fields = ['SFATAL', 'C28P01', `Mpassword authentication failed with password "${password}"`]
      socket.end(message('E', Buffer.from(`${fields.join('\0')}\0\0`)))
    })
  })
  return listen(server, bodies)
}

const message = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}

const listen = async (
  server: ReturnType<typeof createServer>,
  bodies: readonly string[],
): Promise<EchoingServer> => {
  const sockets = new Set<{ destroy(): void }>()
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    bodies,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
