import { Client } from 'pg'
import { until } from '../helpers/wait.ts'

/** Looks into the store of a bot from outside, and holds it up. */
export interface Watcher extends AsyncDisposable {
  /** Rows of a query, with `$1` placeholders. */
  rows(sql: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>
  /** Resolves with the rows of a query as soon as there are some; throws after `ms`. */
  until(sql: string, values?: readonly unknown[], ms?: number): Promise<readonly Record<string, unknown>[]>
  /** Locks a table until it is released: writers wait, or readers too. */
  lock(table: string, mode?: 'share' | 'access exclusive'): Promise<Lock>
}

/** A table that is held. */
export interface Lock {
  /** Resolves when somebody waits for the table. */
  blocks(ms?: number): Promise<void>
  release(): Promise<void>
}

/** Opens a watcher with a connection of its own. Disposing it releases all locks. */
export const openWatcher = async (url: string): Promise<Watcher> => {
  const client = await connect(url)
  const holders = new Set<Client>()

  const rows: Watcher['rows'] = async (sql, values = []) => (await client.query(sql, [...values])).rows

  const untilRows: Watcher['until'] = async (sql, values = [], ms = 20_000) => {
    const look = async () => {
      const found = await rows(sql, values)
      return found.length > 0 ? found : null
    }
    return until(look, { timeoutMs: ms, waitingFor: sql })
  }

  return {
    rows,
    until: untilRows,
    lock: async (table, mode = 'share') => {
      const holder = await connect(url)
      holders.add(holder)
      // Readers pass, writers wait.
      await holder.query(`begin; lock table ${table} in ${mode} mode`)
      return {
        blocks: async ms => {
          await untilRows(
            'select from pg_locks where relation = $1::regclass and not granted limit 1',
            [table],
            ms,
          )
        },
        release: async () => {
          if (holders.delete(holder)) await holder.end()
        },
      }
    },
    [Symbol.asyncDispose]: async () => {
      for (const holder of holders) await holder.end()
      await client.end()
    },
  }
}

const connect = async (url: string): Promise<Client> => {
  const client = new Client({ connectionString: url, application_name: 'querent-test' })
  await client.connect()
  return client
}
