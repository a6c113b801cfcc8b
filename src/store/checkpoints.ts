import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint'
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres'
import { Pool, type PoolClient, type QueryResult } from 'pg'
import { type Log, silentLog } from '../domain/operations/telemetry.ts'

/** The schema of LangGraph's tables, which LangGraph owns and migrates. */
const SCHEMA = 'querent_graph'

/** Advisory lock for setting up the tables; a different number from the migrations'. */
const SETUP_LOCK = 7_203_115_002

const MAX_CONNECTIONS = 10

/** Checkpoints of graph runs, one thread per question. */
export interface Checkpoints {
  /** For LangGraph's `compile({ checkpointer })`. */
  readonly checkpointer: BaseCheckpointSaver
  /** Deletes a thread for good. The saver never deletes by itself: call this after a question has ended. */
  forget(threadId: string): Promise<void>
  close(): Promise<void>
}

/** Opens the checkpoints in the store and sets up their tables; processes that start together wait for each other. */
export const makeCheckpoints = async (options: {
  readonly url: string
  readonly log?: Log
}): Promise<Checkpoints> => {
  const { url, log = silentLog } = options
  const pool = new Pool({
    connectionString: url,
    application_name: 'querent-graph',
    max: MAX_CONNECTIONS,
    // A server crash may lose the last steps of a run. They are repeated, which changes nothing.
    options: '-c synchronous_commit=off',
  })
  // A broken idle connection is replaced; without a listener it would end the process.
  pool.on('error', error => log.warn({ error }, 'a connection of the checkpoints broke'))
  try {
    const checkpointer = new PostgresSaver(makeBatchingPool(pool) as Pool, undefined, { schema: SCHEMA })
    await setUp(pool, checkpointer)
    return {
      checkpointer,
      forget: threadId => checkpointer.deleteThread(threadId),
      close: () => pool.end(),
    }
  } catch (error) {
    await pool.end()
    throw error
  }
}

const setUp = async (pool: Pool, checkpointer: PostgresSaver): Promise<void> => {
  const guard = await pool.connect()
  try {
    // A session lock instead of a transaction lock: the saver sets up on its own connection, statement by statement.
    await guard.query('select pg_advisory_lock($1)', [SETUP_LOCK])
    await checkpointer.setup()
    await guard.query('select pg_advisory_unlock($1)', [SETUP_LOCK])
    guard.release()
  } catch (error) {
    // Closes the connection, which releases the lock.
    guard.release(true)
    throw error
  }
}

/** The part of a pool that LangGraph's saver uses. */
type SaverPool = Pick<Pool, 'connect' | 'query' | 'end'>

/** One insert waiting for its transaction to commit. */
interface QueuedStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

/**
 * A pool for LangGraph's saver that sends each of its transactions as one statement. The saver writes a checkpoint as
 * BEGIN, one insert per channel, COMMIT: ten round trips for each of a question's ten steps, which was most of a
 * question's overhead. Inserts with the same text become one insert with many rows, and different texts are joined as
 * common table expressions; one statement is a transaction by itself. Anything else is sent unchanged.
 */
export const makeBatchingPool = (pool: Pool): SaverPool => ({
  query: pool.query.bind(pool) as Pool['query'],
  end: pool.end.bind(pool) as Pool['end'],
  connect: (async () => {
    const client = await pool.connect()
    // The pool only listens to idle connections: a connection that breaks between two statements would end the process.
    // The next statement on it rejects, and its caller gets the error.
    if (!client.listeners('error').includes(ignore)) client.on('error', ignore)
    return batchTransactions(client)
  }) as Pool['connect'],
})

const ignore = (): void => {}

const batchTransactions = (client: PoolClient): PoolClient => {
  let waiting: QueuedStatement[] | null = null
  /** Something else has to come after the queued inserts, so send them. */
  const flush = async (): Promise<void> => {
    if (waiting === null) return
    const inserts = waiting
    waiting = null
    await client.query('BEGIN')
    for (const { text, values } of inserts) await client.query(text, [...values])
  }
  const query = async (text: string, values: readonly unknown[] = []): Promise<unknown> => {
    if (text === 'BEGIN') {
      waiting = []
      return emptyResult
    }
    if (waiting !== null && insertPattern.test(text)) {
      waiting.push({ text, values })
      return emptyResult
    }
    if (waiting !== null && text === 'COMMIT') {
      const statement = joinInserts(waiting)
      waiting = null
      return statement === null ? emptyResult : client.query(statement.text, [...statement.values])
    }
    if (waiting !== null && text === 'ROLLBACK') {
      waiting = null
      return emptyResult
    }
    await flush()
    return client.query(text, [...values])
  }
  return new Proxy(client, {
    get: (target, name) => {
      if (name === 'query') return query
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const emptyResult: Pick<QueryResult, 'rows' | 'rowCount'> = { rows: [], rowCount: 0 }

const insertPattern = /^(\s*INSERT INTO [\s\S]+? VALUES )\(([$\d, ]+)\)([\s\S]*?);?\s*$/

/** Joins inserts into one statement; null if there are none. Exported for its test. */
export const joinInserts = (
  inserts: readonly { readonly text: string; readonly values: readonly unknown[] }[],
): { readonly text: string; readonly values: readonly unknown[] } | null => {
  const values: unknown[] = []
  const statements = [...Map.groupBy(inserts, ({ text }) => text)].map(([text, own]) => {
    const [, head = '', , tail = ''] = insertPattern.exec(text) ?? []
    const rows = lastOfEach(own).map(insert => {
      const first = values.length
      values.push(...insert.values)
      return `(${insert.values.map((_, i) => `$${first + i + 1}`).join(', ')})`
    })
    return `${head}${rows.join(', ')}${tail}`
  })
  const last = statements.pop()
  if (last === undefined) return null
  const before = statements.map((statement, i) => `written_${i} AS (${statement})`)
  return { text: before.length === 0 ? last : `WITH ${before.join(', ')} ${last}`, values }
}

/**
 * Two rows with the same key in one statement are an error in Postgres; all columns but the blob and its type identify
 * a row.
 */
const lastOfEach = (inserts: readonly QueuedStatement[]): readonly QueuedStatement[] => [
  ...new Map(inserts.map(insert => [JSON.stringify(insert.values.filter(isPlain)), insert])).values(),
]

const isPlain = (value: unknown): boolean => typeof value !== 'object'
