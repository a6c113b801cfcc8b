import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Client, escapeIdentifier, escapeLiteral } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** `done` of `total` tables are loaded; `table` is the last of them. */
export interface SampleProgress {
  readonly table: string
  readonly done: number
  readonly total: number
}

interface TablesToLoad {
  readonly schema: SampleSchema
  readonly rows: Iterable<SampleRows>
  readonly readerRole: string
  readonly onProgress?: ((progress: SampleProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

const draft = 'building'

/**
 * Loads new data into the database of `client` in one transaction, which ends by renaming its schema to `public`.
 * Readers see either the old or the new data and are never disconnected: a running statement finishes on the tables it
 * started with. Returns the new name of the old schema, which the reader can no longer access.
 */
export const loadTables = async (client: Client, given: TablesToLoad): Promise<string> => {
  const { schema, rows, readerRole, onProgress, signal } = given
  const outgoing = `${outgoingPrefix}${Date.now().toString(36)}`
  await client.query('begin')
  try {
    await client.query(`create schema ${draft}; set local search_path to ${draft}`)
    await client.query(renderTables(schema).join(';\n'))
    let done = 0
    for (const { table, rows: tableRows } of rows) {
      // FREEZE: earlier transactions also see the rows, and no vacuum has to visit them again.
      const copy = client.query(copyFrom(`copy ${escapeIdentifier(table)} from stdin with (freeze)`))
      await pipeline(Readable.from(encodeCopy(tableRows)), copy, signal ? { signal } : {})
      onProgress?.({ table, done: ++done, total: schema.tables.length })
    }
    await client.query(renderKeysAndComments(schema).join(';\n'))
    await client.query(renderReaderGrants(readerRole, draft).join(';\n'))
    await client.query(schema.tables.map(({ name }) => `analyze ${escapeIdentifier(name)}`).join('; '))
    signal?.throwIfAborted()
    await client.query(
      `alter schema public rename to ${outgoing};
       revoke all on schema ${outgoing} from public, ${escapeIdentifier(readerRole)};
       alter schema ${draft} rename to public`,
    )
    await client.query('commit')
  } catch (error) {
    // Nothing remains. A lost connection has already rolled back.
    await client.query('rollback').catch(() => {})
    throw error
  }
  return outgoing
}

const outgoingPrefix = 'outgoing_'

/**
 * Drops replaced data, including that of an earlier build if a reader still used it then. Returns the schemas still in
 * use, to be dropped after the next build.
 */
export const dropOutgoing = async (client: Client): Promise<readonly string[]> => {
  await client.query(`set lock_timeout = '2s'`)
  const { rows } = await client.query<{ nspname: string }>(
    `select nspname from pg_namespace where starts_with(nspname, $1)`,
    [outgoingPrefix],
  )
  const inUse: string[] = []
  for (const { nspname } of rows) {
    await client.query(`drop schema ${escapeIdentifier(nspname)} cascade`).catch(error => {
      if ((error as { code?: string }).code !== lockNotAvailable) throw error
      inUse.push(nspname)
    })
  }
  return inUse
}

const lockNotAvailable = '55P03'

/** Statements that create the tables without keys, which are cheaper to check once the rows are loaded. */
export const renderTables = (schema: SampleSchema): readonly string[] =>
  schema.tables.map(table => {
    const columns = table.columns.map(
      ({ name, type, nullable }) => `${escapeIdentifier(name)} ${type}${nullable ? '' : ' not null'}`,
    )
    return `create table ${escapeIdentifier(table.name)} (${columns.join(', ')})`
  })

/** Statements that add primary keys, then foreign keys with an index each, then comments. */
export const renderKeysAndComments = (schema: SampleSchema): readonly string[] => [
  ...schema.tables.map(
    ({ name, primaryKey }) => `alter table ${escapeIdentifier(name)} add primary key (${list(primaryKey)})`,
  ),
  ...schema.tables.flatMap(renderForeignKeys),
  ...schema.tables.flatMap(renderComments),
]

const renderForeignKeys = ({ name, foreignKeys, primaryKey }: SampleTable): string[] =>
  foreignKeys.flatMap(key => [
    `alter table ${escapeIdentifier(name)} add foreign key (${list(key.columns)})` +
      ` references ${escapeIdentifier(key.table)} (${list(key.references)})`,
    // The primary key's index also serves a foreign key that is its prefix.
    ...(key.columns.every((column, at) => primaryKey[at] === column)
      ? []
      : [`create index on ${escapeIdentifier(name)} (${list(key.columns)})`]),
  ])

const renderComments = (table: SampleTable): string[] => [
  `comment on table ${escapeIdentifier(table.name)} is ${escapeLiteral(table.comment)}`,
  ...table.columns.flatMap(({ name, comment }) =>
    comment === null
      ? []
      : [
          `comment on column ${escapeIdentifier(table.name)}.${escapeIdentifier(name)} is ${escapeLiteral(comment)}`,
        ],
  ),
]

const list = (columns: readonly string[]): string =>
  columns.map(column => escapeIdentifier(column)).join(', ')

/** Chunks of about this many characters: with a chunk per row, most of the time goes into stream overhead. */
const CHUNK = 65_536

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** Rows in the text format of COPY (Postgres manual, COPY, "Text Format"). */
export function* encodeCopy(rows: Iterable<readonly SampleCell[]>): Generator<string> {
  let chunk = ''
  for (const row of rows) {
    chunk += `${row.map(encodeCell).join('\t')}\n`
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

const encodeCell = (cell: SampleCell): string => {
  if (cell === null) return '\\N'
  if (typeof cell === 'string') return cell.replace(/[\\\t\n\r]/g, sign => escapes[sign]!)
  return String(cell)
}

/** A sample value: days as `YYYY-MM-DD`, times as ISO text, exact decimals as text. */
type SampleCell = null | boolean | number | string

/** Tables as data. The generator is outside of src and passed in, so this is its interface. */
export interface SampleSchema {
  /** Changes when the same as-of day would produce other tables or rows. */
  readonly version: string
  /** A table comes after those it references. */
  readonly tables: readonly SampleTable[]
}

interface SampleTable {
  readonly name: string
  readonly comment: string
  readonly columns: readonly {
    readonly name: string
    /** As Postgres writes it. */
    readonly type: string
    readonly nullable: boolean
    readonly comment: string | null
  }[]
  readonly primaryKey: readonly string[]
  readonly foreignKeys: readonly {
    readonly columns: readonly string[]
    readonly table: string
    readonly references: readonly string[]
  }[]
}

/** Rows of one table, in column order. */
export interface SampleRows {
  readonly table: string
  readonly rows: Iterable<readonly SampleCell[]>
}

/** Generates the rows of all tables, in schema order, up to the as-of day (`YYYY-MM-DD`). Pure. */
export type GenerateSample = (options: { asOf: string }) => Iterable<SampleRows>

/** The role that reads the sample company. */
interface Reader {
  readonly role: string
  readonly password: string
}

/**
 * Session defaults of the reader. The reader can change them: they limit ordinary work, while permissions forbid the
 * rest. Only a superuser can change `temp_file_limit`.
 */
const settings = {
  default_transaction_read_only: 'on',
  statement_timeout: '30s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '60s',
  temp_file_limit: '1GB',
  search_path: 'public',
} as const

/** Creates the role, or resets an existing one, with this password. */
export const ensureReader = async (admin: Client, { role, password }: Reader): Promise<void> => {
  const name = escapeIdentifier(role)
  const { rowCount } = await admin.query('select from pg_roles where rolname = $1', [role])
  if (rowCount === 0) await admin.query(`create role ${name}`)
  await admin.query(
    [
      `alter role ${name} login nosuperuser nocreatedb nocreaterole noinherit noreplication nobypassrls` +
        ` password ${escapeLiteral(password)}`,
      ...Object.entries(settings).map(
        ([key, value]) => `alter role ${name} set ${key} = ${escapeLiteral(value)}`,
      ),
    ].join('; '),
  )
}

/**
 * Closes the server's other databases to the reader. Postgres opens every new database to everyone, so repeat this
 * whenever databases may have been added.
 */
export const closeOtherDatabases = async (admin: Client, role: string, database: string): Promise<void> => {
  for (let pass = 1; pass <= PASSES; pass++) {
    const open = await admin.query<{ datname: string }>(
      `select datname from pg_database
       where datallowconn and datname <> $2
         and (has_database_privilege($1, oid, 'CONNECT') or has_database_privilege($1, oid, 'TEMPORARY'))`,
      [role, database],
    )
    if (open.rows.length === 0) return
    for (const { datname } of open.rows) {
      const closing = `revoke connect, temporary on database ${escapeIdentifier(datname)} from public, ${escapeIdentifier(role)}`
      await admin.query(closing).catch(error => {
        if (pass === PASSES) throw error
      })
    }
  }
}

/** Another session may drop a database or change its permissions meanwhile; then try again. */
const PASSES = 3

/** Statements, for a session in the sample's database, that leave the reader only SELECT on `schema`. */
const renderReaderGrants = (role: string, schema: string): readonly string[] => {
  const [reader, place] = [escapeIdentifier(role), escapeIdentifier(schema)]
  return [
    `revoke all on schema ${place} from public`,
    `grant usage on schema ${place} to ${reader}`,
    `grant select on all tables in schema ${place} to ${reader}`,
    'revoke usage on language plpgsql from public',
    // Anyone who can call these can write large objects; no table permission prevents it.
    `do $$
     declare writer regprocedure;
     begin
       for writer in
         select oid::regprocedure from pg_proc
         where pronamespace = 'pg_catalog'::regnamespace
           and (proname like 'lo\\_%' or proname in ('lowrite', 'loread'))
       loop
         execute format('revoke execute on function %s from public', writer);
       end loop;
     end $$`,
  ]
}
