import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint'
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres'
import { Pool, type PoolClient, type QueryResult } from 'pg'
import { type Log, silentLog } from '../domain/operations/telemetry.ts'

/** The schema of LangGraph's tables. They are its own: nobody else reads or migrates them. */
const SCHEMA = 'querent_graph'

/** Advisory lock of whoever sets the tables up; another number than that of our migrations. */
const SETUP_LOCK = 7_203_115_002

const MAX_CONNECTIONS = 10

/** The checkpoints of graph runs: one thread a question. */
export interface Checkpoints {
  /** For LangGraph's `compile({ checkpointer })`. */
  readonly checkpointer: BaseCheckpointSaver
  /** Forgets a thread for good. The saver itself never forgets: call this when a question is closed. */
  forget(threadId: string): Promise<void>
  close(): Promise<void>
}

/** Opens the checkpoints on our own database and sets their tables up; processes that start at once wait for each other. */
export const makeCheckpoints = async (options: {
  readonly url: string
  readonly log?: Log
}): Promise<Checkpoints> => {
  const { url, log = silentLog } = options
  const pool = new Pool({
    connectionString: url,
    application_name: 'querent-graph',
    max: MAX_CONNECTIONS,
    // A server that crashes may lose the last steps of a run. They are then done again, which changes nothing.
    options: '-c synchronous_commit=off',
  })
  // An idle connection that breaks is replaced; without a listener it would end the process.
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
    // For the session, not the transaction: the saver sets up on a connection of its own, statement by statement.
    await guard.query('select pg_advisory_lock($1)', [SETUP_LOCK])
    await checkpointer.setup()
    await guard.query('select pg_advisory_unlock($1)', [SETUP_LOCK])
    guard.release()
  } catch (error) {
    // Closes the connection, and with it gives the lock back.
    guard.release(true)
    throw error
  }
}

/** The part of a pool that LangGraph's saver uses. */
type SaverPool = Pick<Pool, 'connect' | 'query' | 'end'>

/** One insert that waits for its transaction to be committed. */
interface QueuedStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

/**
 * A pool for LangGraph's saver that sends each of its transactions as one statement. The saver writes a checkpoint as
 * BEGIN, one insert a channel, COMMIT: ten journeys to the server for each of a question's ten steps, and most of what a
 * question cost here. Inserts of one text become one of many rows, several texts are joined as common table expressions;
 * one statement is a transaction by itself. Whatever is no such insert is sent as it comes.
 */
export const makeBatchingPool = (pool: Pool): SaverPool => ({
  query: pool.query.bind(pool) as Pool['query'],
  end: pool.end.bind(pool) as Pool['end'],
  connect: (async () => {
    const client = await pool.connect()
    // The pool listens to idle connections alone: one that breaks between two statements would end the process. The
    // next statement on it rejects, and that is told to whoever waits.
    if (!client.listeners('error').includes(ignore)) client.on('error', ignore)
    return batchTransactions(client)
  }) as Pool['connect'],
})

const ignore = (): void => {}

const batchTransactions = (client: PoolClient): PoolClient => {
  let waiting: QueuedStatement[] | null = null
  /** What waits is sent, because something else has to come after it. */
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

/** One statement that inserts everything; null when there is nothing. Exported for its test. */
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

/** Rows of one key in one statement are an error to Postgres; all but the blob and its type tell rows apart. */
const lastOfEach = (inserts: readonly QueuedStatement[]): readonly QueuedStatement[] => [
  ...new Map(inserts.map(insert => [JSON.stringify(insert.values.filter(isPlain)), insert])).values(),
]

const isPlain = (value: unknown): boolean => typeof value !== 'object'
