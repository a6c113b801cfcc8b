import knex, { type Knex } from 'knex'

/** Connections that one process keeps to the store at most. */
const MAX_CONNECTIONS = 10
const ACQUIRE_MS = 15_000

/** Opens the pool of our own database. Nothing connects until the first query. */
export const openKnex = (url: string): Knex =>
  knex({
    client: 'pg',
    connection: { connectionString: url, application_name: 'querent' },
    pool: { min: 0, max: MAX_CONNECTIONS },
    acquireConnectionTimeout: ACQUIRE_MS,
  })
