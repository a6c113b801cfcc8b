import type { Knex } from 'knex'
import { QuerentError } from '../domain/errors.ts'
import { questionsAndAnswers } from './migrations/2026-11-20-questions-and-answers.ts'
import { changedAnswers } from './migrations/2026-11-21/changed-answers.ts'
import { home } from './migrations/2026-11-21/home.ts'
import { proposedRules } from './migrations/2026-11-21/proposed-rules.ts'
import { stopping } from './migrations/2026-11-21/stopping.ts'
import { threads } from './migrations/2026-11-21/threads.ts'
import { traces } from './migrations/2026-11-21/traces.ts'
import { verifiedQueries } from './migrations/2026-11-21/verified-queries.ts'
import { verifiedRechecks } from './migrations/2026-11-21/verified-rechecks.ts'
import { modelUsage } from './migrations/2026-11-21/what-models-cost.ts'
import { learnedSelection } from './migrations/2026-11-21/what-selectors-learned.ts'
import { audit } from './migrations/2026-11-22-audit.ts'
import { auditOfShells } from './migrations/2026-11-22-audit-of-shells.ts'
import { budgets } from './migrations/2026-11-22-budgets.ts'
import { cachedAnswers } from './migrations/2026-11-22-cached-answers.ts'
import { digestStatements } from './migrations/2026-11-22-digest-statements.ts'
import { digestWishes } from './migrations/2026-11-22-digest-wishes.ts'
import { digests } from './migrations/2026-11-22-digests.ts'
import { draftOrigins } from './migrations/2026-11-22-draft-origins.ts'
import { installations } from './migrations/2026-11-22-installations.ts'
import { readingReservations } from './migrations/2026-11-22-reading-reservations.ts'
import { sharedIndexes } from './migrations/2026-11-22-shared-indexes.ts'
import { whoPressed } from './migrations/2026-11-22-who-pressed.ts'
import { answerMeaning } from './migrations/2026-11-23-answer-meaning.ts'
import { checkpoints } from './migrations/2026-11-23-checkpoints.ts'
import { layerDecisions } from './migrations/2026-11-23-layer-decisions.ts'
import { expertRounds } from './migrations/2026-11-25-expert-rounds.ts'
import { namedMeanings } from './migrations/2026-11-25-named-meanings.ts'
import { voters } from './migrations/2026-11-26-voters.ts'
import { reusableAnswers } from './migrations/2026-11-27-reusable-answers.ts'
import { secrets } from './migrations/2026-11-29-secrets.ts'

/** The schema of Querent's tables. */
const SCHEMA = 'querent'

/** Advisory lock for migrating; any number not used elsewhere. */
const MIGRATION_LOCK = 7_203_115_001

/** Knex reads migrations from folders by default; these are modules in a list, so that order and names are visible. */
const migrationSource: Knex.MigrationSource<Migration> = {
  getMigrations: async () => [...migrations],
  getMigrationName: migration => migration.name,
  getMigration: async migration => migration,
}

const config: Knex.MigratorConfig = {
  migrationSource,
  schemaName: SCHEMA,
  tableName: 'migrations',
  // `refuseNewerStore` says it better, and before anything is changed.
  disableMigrationsListValidation: true,
}

/**
 * Migrates the schema and returns the names of the migrations that ran. Processes that start together wait for each
 * other. All new migrations run in one transaction. Throws `store-unavailable`, and changes nothing, if a newer version
 * has migrated the schema.
 */
export const migrate = (knex: Knex): Promise<readonly string[]> =>
  knex.transaction(async guard => {
    // The transaction holds the lock, so it is released if the process dies.
    await guard.raw('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK])
    await refuseNewerStore(knex)
    await knex.raw(`create schema if not exists ${SCHEMA}`)
    // Knex's own lock is a row that a killed process leaves behind. With the advisory lock held, any such row is stale.
    await knex.migrate.forceFreeMigrationsLock(config)
    const [, applied] = (await knex.migrate.latest(config)) as [number, string[]]
    return applied
  })

/** Migrations that have not run on the database, in order. Changes nothing. */
export const pendingMigrations = async (knex: Knex): Promise<readonly string[]> => {
  const applied = await appliedMigrations(knex)
  return migrations.map(({ name }) => name).filter(name => !applied.includes(name))
}

/** Migrations of the database that this version does not know: a newer version ran on it. Changes nothing. */
export const newerMigrations = async (knex: Knex): Promise<readonly string[]> => {
  const known = migrations.map(({ name }) => name)
  return (await appliedMigrations(knex)).filter(name => !known.includes(name))
}

const appliedMigrations = async (knex: Knex): Promise<readonly string[]> => {
  const { rows } = await knex.raw('select to_regclass(?) as found', [`${SCHEMA}.migrations`])
  return rows[0]?.found ? knex(`${SCHEMA}.migrations`).orderBy('id').pluck('name') : []
}

/** An older version would read what it does not understand, and leave out what the newer one needs. */
const refuseNewerStore = async (knex: Knex): Promise<void> => {
  const newer = await newerMigrations(knex)
  if (newer.length === 0) return
  const [names, them] = [newer.join(', '), newer.length === 1 ? 'the migration' : 'the migrations']
  throw new QuerentError(
    'store-unavailable',
    `the store belongs to a newer version of Querent: this version does not know ${them} ${names}; ` +
      'start the newer version, or restore the dump from before the upgrade (docs/operating.md)',
  )
}

/** One step of the schema. Its name is what the database remembers; once landed, neither name nor body changes. */
export interface Migration {
  readonly name: string
  readonly up: (knex: Knex) => Promise<void>
  readonly down: (knex: Knex) => Promise<void>
}

/** Every migration, in the order in which they run. New ones go to the end. */
export const migrations: readonly Migration[] = [
  questionsAndAnswers,
  traces,
  verifiedQueries,
  verifiedRechecks,
  modelUsage,
  stopping,
  changedAnswers,
  learnedSelection,
  threads,
  proposedRules,
  home,
  digests,
  audit,
  cachedAnswers,
  budgets,
  installations,
  digestStatements,
  digestWishes,
  auditOfShells,
  readingReservations,
  sharedIndexes,
  whoPressed,
  draftOrigins,
  checkpoints,
  answerMeaning,
  layerDecisions,
  namedMeanings,
  expertRounds,
  voters,
  reusableAnswers,
  secrets,
]
