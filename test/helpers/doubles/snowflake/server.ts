import { randomUUID, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { type Engine, type Outcome, openEngine, type Running } from './engine.ts'
import type { Failure } from './failures.ts'

/** Whom the account knows. */
export interface Accounts {
  readonly account: string
  /** Public keys in PEM format and their fingerprints, by user in upper case. */
  readonly keys?: Readonly<Record<string, { readonly pem: string; readonly fingerprint: string }>>
  readonly accessTokens?: readonly string[]
  readonly oauthTokens?: readonly string[]
}

/** Snowflake's SQL API on this machine, over DuckDB. It fails loudly on whatever the documentation does not list. */
export interface SnowflakeDouble {
  readonly port: number
  readonly engine: Engine
  /** Statements that run. */
  readonly running: () => number
  readonly connections: () => number
  /** What the double did not know, in words. */
  readonly complaints: readonly string[]
  /** Bodies of the statements that were submitted. */
  readonly submitted: readonly SubmittedStatement[]
  /** The next so many requests get this status and code, as from an account that is busy. */
  readonly refuseNext: (count: number, status: number, code?: string) => void
  readonly close: () => Promise<void>
}

export interface SubmittedStatement {
  readonly statement: string
  readonly timeout?: number
  readonly database?: string
  readonly schema?: string
  readonly warehouse?: string
  readonly role?: string
  readonly parameters?: Readonly<Record<string, string | number>>
}

/** A statement that was submitted. */
interface Job {
  readonly running: Running
  outcome: Outcome | null
  /** Why it was ended, if it was. */
  ended: 'canceled' | 'timeout' | null
}

const bodyKeys = new Set('statement timeout database schema warehouse role bindings parameters'.split(' '))

/** The session parameters of the SQL API's specification, and those that public clients send besides. */
const parameterNames = new Set(
  `timezone query_tag binary_output_format date_output_format time_output_format timestamp_output_format
   timestamp_ltz_output_format timestamp_ntz_output_format timestamp_tz_output_format multi_statement_count
   client_result_chunk_size rows_per_resultset use_cached_result`.split(/\s+/),
)

/** The ones that are numbers; all others are texts. */
const wholeParameters = new Set(['client_result_chunk_size', 'rows_per_resultset'])

const rowsInPartition = 700

/** Answers with a failure of the whole request. */
class Refused extends Error {
  readonly status: number
  readonly failure: Failure

  constructor(status: number, code: string, message: string, sqlState = '08001') {
    super(message)
    this.status = status
    this.failure = { code, message, sqlState }
  }
}

/** A request that no documentation allows. */
const unknown = (what: string): Refused => new Refused(400, 'DOUBLE', `The double does not know ${what}.`)

const readBody = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

const claimsOf = (token: string): Readonly<Record<string, unknown>> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>

const checkJwt = ({ account, keys = {} }: Accounts, token: string): void => {
  const refused = new Refused(401, '390144', 'JWT token is invalid.')
  const { iss, sub, iat, exp } = claimsOf(token)
  const user = String(sub).replace(`${account}.`, '')
  const key = keys[user]
  const [header = '', claims = '', signature = ''] = token.split('.')
  const now = Date.now() / 1000
  if (key === undefined || iss !== `${sub}.${key.fingerprint}` || sub !== `${account}.${user}`) throw refused
  if (typeof iat !== 'number' || typeof exp !== 'number' || exp - iat > 3600 || exp < now || iat > now + 60)
    throw refused
  if (!verify('sha256', Buffer.from(`${header}.${claims}`), key.pem, Buffer.from(signature, 'base64url')))
    throw refused
}

const checkHeaders = (accounts: Accounts, { headers, method }: IncomingMessage): void => {
  if (headers.accept !== 'application/json')
    throw new Refused(400, '391902', 'Unsupported Accept header value.')
  if (!headers['user-agent']) throw unknown('a request without User-Agent')
  if (method === 'POST' && headers['content-type'] !== 'application/json')
    throw new Refused(400, '391903', 'Unsupported Content-Type header value.')
  const odd = Object.keys(headers).find(
    name => name.startsWith('x-') && name !== 'x-snowflake-authorization-token-type',
  )
  if (odd !== undefined) throw unknown(`the header ${odd}`)
  const token = headers.authorization?.replace(/^Bearer /, '') ?? ''
  switch (headers['x-snowflake-authorization-token-type']) {
    case 'KEYPAIR_JWT':
      checkJwt(accounts, token)
      return
    case 'OAUTH':
      if (accounts.oauthTokens?.includes(token)) return
      throw new Refused(401, '390303', 'Invalid OAuth access token.')
    case 'PROGRAMMATIC_ACCESS_TOKEN':
      if (accounts.accessTokens?.includes(token)) return
      throw new Refused(401, '394400', 'Programmatic access token is invalid.')
    default:
      throw unknown('this type of token')
  }
}

const checkSubmitted = (body: SubmittedStatement, database: string): void => {
  const odd = Object.keys(body).find(key => !bodyKeys.has(key))
  if (odd !== undefined) throw unknown(`${odd} in the body`)
  for (const [name, value] of Object.entries(body.parameters ?? {})) {
    if (!parameterNames.has(name)) throw unknown(`the parameter ${name}`)
    const isRight = wholeParameters.has(name) ? Number.isInteger(value) : typeof value === 'string'
    if (!isRight) throw unknown(`a ${typeof value} as ${name}`)
  }
  const { timeout = 0 } = body
  if (!Number.isInteger(timeout) || timeout < 0 || timeout > 604_800) throw unknown(`a timeout of ${timeout}`)
  if (body.database !== database || (body.schema ?? 'PUBLIC') !== 'PUBLIC')
    throw new Refused(422, '002003', `Database '${body.database}' does not exist or not authorized.`, '02000')
  if ((body.role ?? 'READER') !== 'READER')
    throw new Refused(422, '390189', `Role '${body.role}' specified in the connect string is not granted.`)
}

/** Opens an account with one database. */
export const openSnowflakeDouble = async (
  accounts: Accounts,
  database = 'HARBOR',
): Promise<SnowflakeDouble> => {
  const engine = await openEngine(database)
  const jobs = new Map<string, Job>()
  const handles = new Map<string, string>()
  const submitted: SubmittedStatement[] = []
  const complaints: string[] = []
  const sockets = new Set<Socket>()
  let busy = { count: 0, status: 429, code: '' }

  const submit = async (body: SubmittedStatement, requestId: string): Promise<string> => {
    const known = handles.get(requestId)
    if (known !== undefined) return known
    checkSubmitted(body, database)
    submitted.push(body)
    const limit = Number(body.parameters?.rows_per_resultset ?? 0)
    const running = await engine.run(body.statement, limit === 0 ? Number.POSITIVE_INFINITY : limit)
    const job: Job = { running, outcome: null, ended: null }
    const end = setTimeout(() => stop(job, 'timeout'), (body.timeout || 172_800) * 1000)
    void running.outcome.then(outcome => {
      clearTimeout(end)
      job.outcome = outcome
    })
    const handle = randomUUID()
    jobs.set(handle, job)
    handles.set(requestId, handle)
    return handle
  }

  const stop = (job: Job, why: 'canceled' | 'timeout'): void => {
    if (job.outcome !== null || job.ended !== null) return
    job.ended = why
    job.running.stop()
  }

  const stateOf = (handle: string, partition: number): { status: number; body: object; gzip?: boolean } => {
    const job = jobs.get(handle)
    if (job === undefined) throw new Refused(404, '391904', 'Statement handle is not known.')
    const at = { statementHandle: handle, createdOn: Date.now() }
    if (job.outcome === null)
      return {
        status: 202,
        body: {
          ...at,
          code: '333334',
          message: 'Asynchronous execution in progress.',
          statementStatusUrl: `/api/v2/statements/${handle}`,
        },
      }
    if (job.ended === 'timeout')
      return {
        status: 422,
        body: { ...at, code: '000630', sqlState: '57014', message: 'Statement reached its timeout.' },
      }
    if (job.ended === 'canceled')
      return {
        status: 422,
        body: { ...at, code: '000604', sqlState: '57014', message: 'SQL execution canceled' },
      }
    if (job.outcome.state === 'failed') return { status: 422, body: { ...at, ...job.outcome.failure } }
    const { columns, rows } = job.outcome
    const count = Math.max(1, Math.ceil(rows.length / rowsInPartition))
    if (partition >= count) throw unknown(`partition ${partition} of ${count}`)
    const data = rows.slice(partition * rowsInPartition, (partition + 1) * rowsInPartition)
    if (partition > 0) return { status: 200, body: { data }, gzip: true }
    const partitionInfo = Array.from({ length: count }, (_, index) => ({
      rowCount: Math.min(rowsInPartition, rows.length - index * rowsInPartition),
      uncompressedSize: 1,
    }))
    const resultSetMetaData = { numRows: rows.length, format: 'jsonv2', rowType: columns, partitionInfo }
    return {
      status: 200,
      body: {
        ...at,
        code: '090001',
        sqlState: '00000',
        message: 'Statement executed successfully.',
        resultSetMetaData,
        data,
      },
    }
  }

  const answer = async (
    request: IncomingMessage,
  ): Promise<{ status: number; body: object; gzip?: boolean }> => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    checkHeaders(accounts, request)
    if (busy.count > 0) {
      busy = { ...busy, count: busy.count - 1 }
      throw new Refused(busy.status, busy.code, 'The double was told to refuse this.')
    }
    const query = url.searchParams
    const odd = [...query.keys()].find(name => !/^(?:requestId|async|retry|nullable|partition)$/.test(name))
    if (odd !== undefined) throw unknown(`${odd} in the query`)
    const [, handle, cancel] = /^\/api\/v2\/statements(?:\/([\w-]+)(\/cancel)?)?$/.exec(url.pathname) ?? []
    if (!url.pathname.startsWith('/api/v2/statements')) throw unknown(`the path ${url.pathname}`)
    if (handle === undefined && request.method === 'POST') {
      const body = JSON.parse(await readBody(request)) as SubmittedStatement
      const started = await submit(body, query.get('requestId') ?? randomUUID())
      const running = jobs.get(started)?.running.outcome
      if (query.get('async') !== 'true') await running
      const state = stateOf(started, 0)
      return jobs.get(started)?.ended === 'timeout' ? { ...state, status: 408 } : state
    }
    if (handle !== undefined && cancel !== undefined && request.method === 'POST') {
      const job = jobs.get(handle)
      if (job) {
        stop(job, 'canceled')
        await job.running.outcome
      }
      return {
        status: 200,
        body: { code: '0', sqlState: '', message: 'successfully canceled', statementHandle: handle },
      }
    }
    if (handle !== undefined && request.method === 'GET')
      return stateOf(handle, Number(query.get('partition') ?? 0))
    throw unknown(`${request.method} ${url.pathname}`)
  }

  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, body, gzip } = await answer(request).catch((error: unknown) => {
      const refused = error instanceof Refused ? error : unknown(String(error))
      if (refused.failure.code === 'DOUBLE') complaints.push(refused.message)
      return { status: refused.status, body: refused.failure, gzip: false }
    })
    const text = Buffer.from(JSON.stringify(body))
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(gzip && { 'content-encoding': 'gzip' }),
    })
    response.end(gzip ? gzipSync(text) : text)
  }

  const server = createServer((request, response) => void reply(request, response))
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    engine,
    running: () => [...jobs.values()].filter(({ outcome }) => outcome === null).length,
    connections: () => sockets.size,
    complaints,
    submitted,
    refuseNext: (count, status, code = '390505') => {
      busy = { count, status, code }
    },
    close: async () => {
      for (const job of jobs.values()) stop(job, 'canceled')
      await Promise.all([...jobs.values()].map(({ running }) => running.outcome))
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
      engine.close()
    },
  }
}
