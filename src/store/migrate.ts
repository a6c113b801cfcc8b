import type { Knex } from 'knex'
import { type Migration, migrations } from './migrations/registry.ts'

/** The schema in which all tables of ours live. */
const SCHEMA = 'querent'

/** Advisory lock of whoever migrates; any fixed number that nobody else of ours uses. */
const MIGRATION_LOCK = 7_203_115_001

/** Knex reads migrations from folders by default; ours are modules in a list, so that order and names are plain to see. */
const migrationSource: Knex.MigrationSource<Migration> = {
  getMigrations: async () => [...migrations],
  getMigrationName: migration => migration.name,
  getMigration: async migration => migration,
}

const config: Knex.MigratorConfig = {
  migrationSource,
  schemaName: SCHEMA,
  tableName: 'migrations',
  // Knex would refuse a schema with migrations that it does not know. While replicas are brought up to date one by one,
  // and after a step back, an older version runs on a newer schema: migrations add, and take nothing away that it needs.
  disableMigrationsListValidation: true,
}

/**
 * Brings the schema up to date and returns the names of the migrations that ran. Processes that start at once wait for
 * each other. All new migrations run in one transaction: they land together or not at all.
 */
export const migrate = (knex: Knex): Promise<readonly string[]> =>
  knex.transaction(async guard => {
    // Held by the transaction, so that it is free again when its process dies.
    await guard.raw('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK])
    await knex.raw(`create schema if not exists ${SCHEMA}`)
    // Knex's own lock is a row that a killed process leaves behind. We hold the real one: whatever it says is stale.
    await knex.migrate.forceFreeMigrationsLock(config)
    const [, applied] = (await knex.migrate.latest(config)) as [number, string[]]
    return applied
  })

/** Names of the migrations that this version has and the database has not, in order. Changes nothing. */
export const pendingMigrations = async (knex: Knex): Promise<readonly string[]> => {
  const { rows } = await knex.raw('select to_regclass(?) as found', [`${SCHEMA}.migrations`])
  const all = migrations.map(migration => migration.name)
  if (!rows[0]?.found) return all
  const applied = await knex(`${SCHEMA}.migrations`).pluck('name')
  return all.filter(name => !applied.includes(name))
}

/** Names of the migrations that the database has and this version does not know: a later version ran on it. */
export const laterMigrations = async (knex: Knex): Promise<readonly string[]> => {
  const known = migrations.map(migration => migration.name)
  const applied: string[] = await knex(`${SCHEMA}.migrations`).pluck('name')
  return applied.filter(name => !known.includes(name))
}
