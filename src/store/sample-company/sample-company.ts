import { setTimeout as sleep } from 'node:timers/promises'
import { Client, escapeIdentifier } from 'pg'
import { QuerentError } from '../../domain/errors.ts'
import { type Log, silentLog } from '../../domain/operations/telemetry.ts'
import {
  closeOtherDatabases,
  dropOutgoing,
  ensureReader,
  type GenerateSample,
  loadTables,
  type SampleProgress,
  type SampleSchema,
} from './load-tables.ts'

/** Options of `buildSampleCompany`. */
export interface SampleCompanyOptions {
  /** A superuser URL of Querent's own server: permissions on all its databases are restricted. */
  readonly adminUrl: string
  /** The last day of data, `YYYY-MM-DD`. */
  readonly asOf: string
  readonly schema: SampleSchema
  readonly generate: GenerateSample
  /** Password of the reader. Processes that share a server must pass the same. */
  readonly readerPassword: string
  /** Name of the database. */
  readonly database?: string
  readonly readerRole?: string
  readonly onProgress?: (progress: SampleProgress) => void
  readonly log?: Log
  readonly signal?: AbortSignal
}

/** The sample company. `built`: by this call, because it was missing or of another day or version. */
interface SampleCompany {
  /** URL of the reader, who can only SELECT there. */
  readonly url: string
  readonly built: boolean
  readonly milliseconds: number
}

/** Advisory lock for checking and building; it ends with the connection, also when the process is killed. */
const BUILD_LOCK = 7_203_115_911

const POLL_MS = 50

/**
 * Makes sure that the sample company's database exists with data up to `asOf`, and returns the reader's URL. Concurrent
 * processes take turns, and the second finds the work done. Data is replaced without cutting readers' connections (see
 * `loadTables`). Throws `store-unavailable` with the next step, or `cancelled`.
 */
export const buildSampleCompany = async (options: SampleCompanyOptions): Promise<SampleCompany> => {
  const { adminUrl, asOf, schema, readerPassword, signal, log = silentLog } = options
  const { database = 'sample_company', readerRole = 'querent_reader' } = options
  const started = performance.now()
  const built = await connected(adminUrl, signal, async admin => {
    await lock(admin, signal)
    await ensureReader(admin, { role: readerRole, password: readerPassword })
    const found = await readBuildRecord(admin, database)
    const wanted = { asOf, version: schema.version }
    const current = found?.asOf === wanted.asOf && found.version === wanted.version
    if (!current) {
      log.info({ database, asOf, found }, 'building the sample company')
      await createDatabase(admin, database)
      await build(urlOf(adminUrl, database), { ...options, readerRole, log })
      await admin.query(
        `grant connect on database ${escapeIdentifier(database)} to ${escapeIdentifier(readerRole)}`,
      )
      await saveBuildRecord(admin, database, wanted)
    }
    await closeOtherDatabases(admin, readerRole, database)
    return !current
  })
  const milliseconds = performance.now() - started
  log.debug({ database, asOf, built, milliseconds }, 'the sample company is ready')
  return {
    url: urlOf(adminUrl, database, { role: readerRole, password: readerPassword }),
    built,
    milliseconds,
  }
}

const build = async (
  url: string,
  options: SampleCompanyOptions & { readerRole: string; log: Log },
): Promise<void> => {
  const { schema, generate, asOf, readerRole, onProgress, signal, log } = options
  await connected(url, signal, async client => {
    await loadTables(client, { schema, rows: generate({ asOf }), readerRole, onProgress, signal })
    const inUse = await dropOutgoing(client)
    if (inUse.length > 0) log.warn({ inUse }, 'an old version of the sample company is still in use')
  })
}

/** Only the admin can open it until the first build is complete. */
const createDatabase = async (admin: Client, database: string): Promise<void> => {
  const name = escapeIdentifier(database)
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [database])
  if (rowCount === 0) await admin.query(`create database ${name} template template0 encoding 'UTF8'`)
  await admin.query(`revoke all on database ${name} from public`)
}

/** Polls instead of waiting in the server, so that `signal` works. */
const lock = async (admin: Client, signal: AbortSignal | undefined): Promise<void> => {
  for (;;) {
    const { rows } = await admin.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [
      BUILD_LOCK,
    ])
    if (rows[0]!.held) return
    await sleep(POLL_MS, undefined, signal ? { signal } : {})
  }
}

const connected = async <T>(
  url: string,
  signal: AbortSignal | undefined,
  work: (client: Client) => Promise<T>,
): Promise<T> => {
  const client = new Client({ connectionString: url, application_name: 'querent-sample-company' })
  // The next query notices a broken idle connection; an unhandled event would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    // After a power failure the build is simply repeated, so it need not wait for the disk.
    await client.query('set synchronous_commit = off')
    return await work(client)
  } catch (cause) {
    if (cause instanceof QuerentError || cause instanceof RangeError) throw cause
    if (signal?.aborted)
      throw new QuerentError('cancelled', 'building the sample company was stopped', { cause })
    throw new QuerentError(
      'store-unavailable',
      `the sample company could not be built: ${(cause as Error).message}; free space or grant rights on the server, or choose another database with --database`,
      { cause },
    )
  } finally {
    await client.end().catch(() => {})
  }
}

const urlOf = (adminUrl: string, database: string, reader?: { role: string; password: string }): string => {
  const url = new URL(adminUrl)
  url.pathname = `/${encodeURIComponent(database)}`
  if (reader) {
    url.username = encodeURIComponent(reader.role)
    url.password = encodeURIComponent(reader.password)
  }
  return url.href
}

/** What a sample database was built from. */
interface SampleBuild {
  /** `YYYY-MM-DD` */
  readonly asOf: string
  readonly version: string
}

/**
 * The last complete build of the sample database; null if there is none by Querent. Stored in the admin's database,
 * which the reader cannot open, and tied to the database's oid: a later database of the same name is another one.
 */
const readBuildRecord = async (admin: Client, database: string): Promise<SampleBuild | null> => {
  await admin.query(
    `create table if not exists querent_sample_builds (
       database text primary key,
       database_oid oid not null,
       as_of text not null,
       version text not null,
       built_at timestamptz not null default now()
     )`,
  )
  const { rows } = await admin.query<SampleBuild>(
    `select as_of as "asOf", version
     from querent_sample_builds join pg_database on datname = database and oid = database_oid
     where database = $1`,
    [database],
  )
  return rows[0] ?? null
}

const saveBuildRecord = async (admin: Client, database: string, build: SampleBuild): Promise<void> => {
  await admin.query(
    `insert into querent_sample_builds (database, database_oid, as_of, version)
     select datname, oid, $2, $3 from pg_database where datname = $1
     on conflict (database) do update
       set database_oid = excluded.database_oid, as_of = excluded.as_of, version = excluded.version, built_at = now()`,
    [database, build.asOf, build.version],
  )
}
