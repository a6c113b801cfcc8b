import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import { inject } from 'vitest'
import { migrate } from '../../src/store/migrate.ts'
import { openKnex } from '../../src/store/store.ts'
import './services/global-postgres.ts'
import { withClient } from './with-client.ts'

/** A database that one test, or one file of tests, has to itself. `url` is a superuser's. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string
  drop(): Promise<void>
}

/** `on`: the embedded server, or `DATABASE_URL`. `migrated`: with our own tables, empty. */
export interface TestDatabaseOptions {
  readonly on?: 'embedded' | 'external'
  readonly migrated?: boolean
}

/** Advisory lock for making (exclusive) or copying (shared) the migrated template. */
const TEMPLATE_LOCK = 7_203_115_900

/** Makes a database with a name of its own; a migrated one is a copy of a template, which is made when first asked for. */
export const createTestDatabase = async (options: TestDatabaseOptions = {}): Promise<TestDatabase> => {
  const adminUrl = inject(options.on === 'external' ? 'externalPostgresUrl' : 'embeddedPostgresUrl')
  if (adminUrl === null) throw new Error('this test needs DATABASE_URL: ask requireService first')
  const name = `querent_test_${randomBytes(8).toString('hex')}`
  if (options.migrated) await copyTemplate(adminUrl, name)
  else await withClient(adminUrl, admin => admin.query(`create database ${name}`))
  const drop = async () => {
    await withClient(adminUrl, admin => admin.query(`drop database if exists ${name} with (force)`))
  }
  return { url: urlOf(adminUrl, name), drop, [Symbol.asyncDispose]: drop }
}

const copyTemplate = async (adminUrl: string, name: string): Promise<void> => {
  const template = `querent_template_${hashOfMigrations()}`
  await withClient(adminUrl, async admin => {
    await admin.query('select pg_advisory_lock_shared($1)', [TEMPLATE_LOCK])
    if (!(await exists(admin, template))) {
      await admin.query('select pg_advisory_unlock_shared($1)', [TEMPLATE_LOCK])
      await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
      if (!(await exists(admin, template))) await makeTemplate(admin, adminUrl, template)
    }
    // The lock ends with the connection.
    await admin.query(`create database ${name} template ${template}`)
  })
}

/** Made under another name first: a template that was cut short must not be taken for one. */
const makeTemplate = async (admin: Client, adminUrl: string, template: string): Promise<void> => {
  const draft = `${template}_draft`
  await admin.query(`drop database if exists ${draft} with (force)`)
  await admin.query(`create database ${draft}`)
  const knex = openKnex(urlOf(adminUrl, draft))
  try {
    await migrate(knex)
  } finally {
    await knex.destroy()
  }
  await dropOldTemplates(admin)
  await admin.query(`alter database ${draft} rename to ${template}`)
}

/** A server that outlives the run would collect one for each version of the schema. A run that needs one makes it. */
const dropOldTemplates = async (admin: Client): Promise<void> => {
  const { rows } = await admin.query<{ datname: string }>(
    `select datname from pg_database where datname ~ '^querent_template_[0-9a-f]+$'`,
  )
  for (const { datname } of rows) await admin.query(`drop database ${datname} with (force)`)
}

const exists = async (admin: Client, database: string): Promise<boolean> =>
  (await admin.query('select from pg_database where datname = $1', [database])).rowCount === 1

/** Of the text of all migrations. */
const hashOfMigrations = (): string => {
  const folder = join(import.meta.dirname, '../../src/store/migrations')
  const hash = createHash('sha256')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file =>
    file.endsWith('.ts'),
  )
  for (const file of files.sort()) hash.update(readFileSync(join(folder, file)))
  return hash.digest('hex').slice(0, 12)
}

const urlOf = (adminUrl: string, database: string): string => {
  const url = new URL(adminUrl)
  url.pathname = `/${database}`
  return url.href
}
