import type { Client } from 'pg'

/** Which books a sample database holds. */
export interface SampleBuild {
  /** `YYYY-MM-DD` */
  readonly asOf: string
  readonly version: string
}

/**
 * What the sample database was last built from; null when it was not, not to the end, or not by us. Kept in the
 * admin's database, which the reader cannot open, and tied to the database's oid: a namesake made later is another.
 */
export const readBuildRecord = async (admin: Client, database: string): Promise<SampleBuild | null> => {
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

export const saveBuildRecord = async (admin: Client, database: string, build: SampleBuild): Promise<void> => {
  await admin.query(
    `insert into querent_sample_builds (database, database_oid, as_of, version)
     select datname, oid, $2, $3 from pg_database where datname = $1
     on conflict (database) do update
       set database_oid = excluded.database_oid, as_of = excluded.as_of, version = excluded.version, built_at = now()`,
    [database, build.asOf, build.version],
  )
}
