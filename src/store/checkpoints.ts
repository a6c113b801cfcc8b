import { type BaseCheckpointSaver, MemorySaver } from '@langchain/langgraph-checkpoint'
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres'
import { Pool } from 'pg'
import { type Log, silentLog } from '../core/log.ts'
import { makeBatchingPool } from './write-at-once.ts'

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

/** Checkpoints that live as long as the process. Each run stays in memory until it is forgotten. */
export const makeMemoryCheckpoints = (): Checkpoints => {
  const checkpointer = new MemorySaver()
  return {
    checkpointer,
    forget: threadId => checkpointer.deleteThread(threadId),
    close: async () => {},
  }
}
