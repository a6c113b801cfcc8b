import { connect, createServer, type Socket } from 'node:net'

/** A door to a Postgres server that hears every statement that goes through it. */
export interface PostgresRecorder extends AsyncDisposable {
  /** The same database, through the door. */
  readonly url: string
  /** Texts of the statements since the last call, as they were sent. */
  take(): readonly string[]
}

/** Opens it. What is sent is read as the protocol has it: simple queries, and those that are parsed first. */
export const recordPostgres = async (url: string): Promise<PostgresRecorder> => {
  const to = new URL(url)
  let heard: string[] = []
  const sockets = new Set<Socket>()
  const door = createServer(inner => {
    const outer = connect(Number(to.port), to.hostname)
    for (const socket of [inner, outer]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        inner.destroy()
        outer.destroy()
      })
    }
    const read = makeReader(sql => heard.push(sql))
    inner.on('data', read)
    inner.pipe(outer).pipe(inner)
  })
  await new Promise<void>(resolve => door.listen(0, '127.0.0.1', resolve))
  const address = door.address()
  if (address === null || typeof address === 'string') throw new Error('the door has no port')
  const through = new URL(url)
  through.hostname = '127.0.0.1'
  through.port = String(address.port)
  return {
    url: through.href,
    take: () => {
      const taken = heard
      heard = []
      return taken
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>(resolve => door.close(() => resolve()))
    },
  }
}

/** The first message of a connection has no letter before its length. */
const makeReader = (hear: (sql: string) => void) => {
  let waiting = Buffer.alloc(0)
  let isStarted = false
  return (chunk: Buffer): void => {
    waiting = Buffer.concat([waiting, chunk])
    for (;;) {
      const head = isStarted ? 1 : 0
      if (waiting.length < head + 4) return
      const end = head + waiting.readInt32BE(head)
      if (waiting.length < end) return
      const body = waiting.subarray(head + 4, end)
      const letter = isStarted ? String.fromCharCode(waiting[0] ?? 0) : ''
      // A statement that is parsed has its name before its text.
      if (letter === 'Q') hear(textAt(body, 0))
      if (letter === 'P') hear(textAt(body, body.indexOf(0) + 1))
      isStarted = true
      waiting = waiting.subarray(end)
    }
  }
}

const textAt = (body: Buffer, from: number): string => body.subarray(from, body.indexOf(0, from)).toString()
