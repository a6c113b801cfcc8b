import knex, { type Knex } from 'knex'
import { type Log, silentLog } from '../core/log.ts'

/** Connections that one process keeps to the store at most. */
const MAX_CONNECTIONS = 10
const ACQUIRE_MS = 15_000

/** Knex puts the stack of an error of the driver behind its words; where it was thrown tells an operator nothing. */
const withoutStack = (message: unknown): unknown =>
  typeof message === 'string' ? message.replace(/\n\s+at .*$/s, '') : message

/** Opens the pool of our own database. Nothing connects until the first query. */
export const openKnex = (url: string, log: Log = silentLog): Knex =>
  knex({
    client: 'pg',
    connection: { connectionString: url, application_name: 'querent' },
    pool: { min: 0, max: MAX_CONNECTIONS },
    acquireConnectionTimeout: ACQUIRE_MS,
    // Knex would write to standard output, which belongs to `--json`.
    log: {
      debug: message => log.debug({ knex: message }, 'knex'),
      warn: message => log.warn({ knex: withoutStack(message) }, 'knex gave a warning'),
      // An error reaches the caller too, who knows what it means.
      error: message => log.debug({ knex: message }, 'knex reported an error'),
      deprecate: (method, alternative) => log.debug({ method, alternative }, 'knex calls a method outdated'),
    },
  })
