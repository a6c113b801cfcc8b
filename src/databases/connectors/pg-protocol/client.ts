import type { Socket } from 'node:net'
import pg from 'pg'

interface Listening {
  attachListeners: (socket: Socket) => void
}

/**
 * A client whose connection fails on what `pg` cannot read, such as a way to log in that it does not know. `pg` throws
 * that from an event of the socket, where nobody can catch it and the process would end.
 */
export class PgClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    const connection = this.connection as unknown as Listening
    const attach = connection.attachListeners.bind(connection)
    connection.attachListeners = socket => {
      attach(socket)
      const read = socket.listeners('data').at(-1) as (chunk: Buffer) => void
      socket.off('data', read)
      socket.on('data', chunk => {
        try {
          read(chunk)
        } catch (error) {
          socket.destroy(error as Error)
        }
      })
    }
  }
}
