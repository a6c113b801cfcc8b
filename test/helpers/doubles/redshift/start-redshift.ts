import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import pg from 'pg'
import { withClient } from '../../with-client.ts'
import { redshiftTypes, redshiftViews } from './catalog-views.ts'
import {
  asRedshiftError,
  int32,
  makeMessageReader,
  texts,
  withTypes,
  writeError,
  writeMessage,
} from './messages.ts'
import { splitStatements, translate } from './statements.ts'

/** A double of Redshift: its protocol and rules in front of a database of a real Postgres, which has the values. */
export interface RedshiftDouble extends AsyncDisposable {
  readonly url: string
  /** What the double met that Redshift's manual does not have, or that must never reach a server. Must stay empty. */
  readonly surprises: string[]
}

const user = 'reader'

const password = 'pa:ss/word'

/** The rows that a cursor of a cluster with one node gives at a time. */
const mostFetched = 1000

const md5 = (...parts: readonly (string | Buffer)[]): string => {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

/**
 * Starts a double in front of a database, which it gives Redshift's views. `role`: whose rights the user has there;
 * those of the superuser if left out.
 */
export const startRedshift = async (
  backendUrl: string,
  { role }: { readonly role?: string } = {},
): Promise<RedshiftDouble> => {
  const types = await withClient(backendUrl, async client => {
    const made = await client.query("select from pg_namespace where nspname = 'redshift_double'")
    if (made.rowCount === 0) await client.query(redshiftViews)
    const { rows } = await client.query<{ oid: number; typname: string }>(
      "select oid::int, typname from pg_type where typnamespace = 'redshift_double'::regnamespace",
    )
    return new Map(
      rows.flatMap(({ oid, typname }) => {
        const own = redshiftTypes[typname]
        return own === undefined ? [] : [[oid, own] as const]
      }),
    )
  })
  const surprises: string[] = []
  const endings: Promise<unknown>[] = []
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    socket.setNoDelay()
    serve(socket, { backendUrl, role: role ?? null, types, surprises, endings }).catch((error: unknown) => {
      surprises.push(String(error))
      socket.destroy()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `redshift://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/dev?tls=false`,
    surprises,
    [Symbol.asyncDispose]: async () => {
      const closed = [...sockets].map(socket => new Promise(resolve => socket.once('close', resolve)))
      for (const socket of sockets) socket.destroy()
      await Promise.all(closed)
      await new Promise(resolve => server.close(resolve))
      // Whoever drops the database next must not find our own sessions in it.
      await Promise.all(endings)
    },
  }
}

interface Backend {
  readonly backendUrl: string
  readonly role: string | null
  readonly types: ReadonlyMap<number, number>
  readonly surprises: string[]
  /** The sessions behind, as they are ended. */
  readonly endings: Promise<unknown>[]
}

const nextChunk = (socket: Socket): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    socket.once('data', chunk => resolve(chunk as Buffer))
    socket.once('close', () => reject(new Error('the client went away before it had connected')))
  })

const fatal = (socket: Socket, C: string, M: string): void => {
  socket.end(writeError({ S: 'FATAL', C, M }))
}

const serve = async (socket: Socket, backend: Backend): Promise<void> => {
  const first = await nextChunk(socket)
  if (first.readInt32BE(4) !== 196_608)
    throw new Error('the client did not begin with version 3.0 of the protocol')
  const words = first.subarray(8).toString().split('\0')
  const startup = new Map(
    words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] ?? ''] as const] : [])),
  )
  // A user whose password is stored as SHA-256 is asked for it by a message of Redshift's own.
  if (startup.get('user') === 'hashed') {
    const nonce = Buffer.concat([int32(8), randomBytes(8)])
    socket.write(writeMessage('R', Buffer.concat([int32(13, 0), nonce, nonce])))
    return
  }
  const salt = randomBytes(4)
  socket.write(writeMessage('R', Buffer.concat([int32(5), salt])))
  const [answer] = makeMessageReader()(await nextChunk(socket))
  const expected = `md5${md5(md5(password, startup.get('user') ?? ''), salt)}`
  if (startup.get('user') !== user || answer?.body.toString().replace(/\0$/, '') !== expected)
    return fatal(socket, '28000', `password authentication failed for user "${startup.get('user')}"`)
  if (startup.get('database') !== 'dev')
    return fatal(socket, '3D000', `database "${startup.get('database')}" does not exist`)

  const client = new pg.Client({
    connectionString: backend.backendUrl,
    application_name: startup.get('application_name') ?? '',
    options: `-c search_path=redshift_double,pg_catalog,public -c jit=off${backend.role === null ? '' : ` -c role=${backend.role}`}`,
  })
  client.on('error', () => {})
  await client.connect()
  const { processID: pid, connection } = client as unknown as {
    processID: number
    connection: { stream: Socket }
  }
  const behind = connection.stream
  behind.setNoDelay()
  // From here on the messages go through as they are.
  behind.removeAllListeners('data')
  behind.removeAllListeners('end')
  socket.write(
    Buffer.concat([
      writeMessage('R', int32(0)),
      writeMessage('S', texts('server_version', '8.0.2')),
      writeMessage('S', texts('client_encoding', 'UTF8')),
      writeMessage('K', int32(pid, 0)),
      writeMessage('Z', Buffer.from('I')),
    ]),
  )
  relay(socket, behind, backend)
  const end = (): void => {
    // Redshift ends what a session runs when its client goes away; Postgres would only notice later.
    const ended = withClient(backend.backendUrl, admin =>
      admin.query('select pg_terminate_backend($1, 5000)', [pid]),
    )
    backend.endings.push(ended.catch(() => {}))
    behind.destroy()
  }
  if (socket.destroyed) end()
  else socket.once('close', end)
}

const refusal = (code: string, message: string): string =>
  `select redshift_double.refuse('${code}', '${message.replaceAll("'", "''")}')`

const relay = (socket: Socket, behind: Socket, { types, surprises }: Backend): void => {
  const fromClient = makeMessageReader()
  const fromServer = makeMessageReader()
  let isSuspended = false

  const written = (sql: string): string => {
    if (isSuspended) {
      surprises.push(`a statement came while a portal was suspended: ${sql}`)
      return refusal('XX000', "Invalid protocol sequence 'P' while in PortalSuspended state.")
    }
    const result = translate(sql)
    return result.kind === 'run' ? result.sql : refusal(result.code, result.message)
  }

  const forward = (type: string, body: Buffer): Buffer => {
    if (type === 'Q') {
      const statements = splitStatements(body.toString().replace(/\0$/, ''))
      return writeMessage('Q', texts(statements.map(written).join('; ')))
    }
    if (type === 'P') {
      const [name = '', sql = ''] = body.toString().split('\0')
      const statements = splitStatements(sql)
      // Postgres refuses more than one here by itself.
      const single = statements.length === 1 ? written(statements[0]!) : sql
      return writeMessage('P', Buffer.concat([texts(name, single), body.subarray(-2)]))
    }
    if (type === 'E') {
      const portal = body.toString('utf8', 0, body.indexOf(0))
      const rows = body.readInt32BE(body.length - 4)
      if (rows === 1 || rows > mostFetched) surprises.push(`a cursor was asked for ${rows} rows`)
      isSuspended = false
      // Redshift reads the number of rows of named portals only.
      return portal === '' ? writeMessage('E', Buffer.concat([texts(''), int32(0)])) : writeMessage('E', body)
    }
    if (!/^[BDCSHX]$/.test(type)) throw new Error(`the double does not know message ${type}`)
    if (type === 'C' || type === 'S') isSuspended = false
    return writeMessage(type, body)
  }

  socket.on('data', chunk => {
    try {
      for (const { type, body } of fromClient(chunk as Buffer)) behind.write(forward(type, body))
    } catch (error) {
      surprises.push(String(error))
      socket.destroy()
    }
  })
  behind.on('data', chunk => {
    let isFull = false
    for (const { type, body } of fromServer(chunk as Buffer)) {
      if (type === 's') isSuspended = true
      const message =
        type === 'E'
          ? asRedshiftError(body)
          : writeMessage(type, type === 'T' ? withTypes(body, types) : body)
      isFull = !socket.write(message)
    }
    if (!isFull) return
    behind.pause()
    socket.once('drain', () => behind.resume())
  })
  behind.on('close', () => socket.end())
  behind.resume()
}
