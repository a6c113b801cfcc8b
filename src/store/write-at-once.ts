import type { Pool, PoolClient, QueryResult } from 'pg'

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
