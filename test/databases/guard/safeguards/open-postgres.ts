import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { expect, vi } from 'vitest'
import { makePostgresConnector } from '../../../../src/databases/connectors/postgres/connector.ts'
import { createTestDatabase } from '../../../helpers/test-database.ts'
import type { SafeguardSubject } from './safeguard-subject.ts'

const tables = `
  create table invoices (id serial primary key, paid boolean);
  create table drafts (id integer);
  create table t (a integer, b integer, c integer, d integer, e integer, name text);
  create table u (a integer);
  create table letters (body tsvector);
  create table aliases (t tsquery, s tsquery);
  create table docs (body text, doc xml);
  create table patterns (pattern text);
  create materialized view mv as select 1 as one;
  create sequence s;
  create extension dblink;
  create extension tablefunc;
  create function do_things() returns void language sql as 'delete from invoices';
  create function my_udf(text) returns text language plpgsql as $$ begin insert into drafts values (7); return $1; end $$;
  insert into invoices (paid) values (false), (true), (false);
  insert into drafts values (1);
  insert into t values (1, 2, 3, 4, 5, 'one');
  insert into u values (1);
  insert into docs values ('words', '<a/>');
  insert into patterns values ('%s');
  select lo_from_bytea(16400, 'large');`

/** Every row of every table, what there is in the schema with its rights, sequences, large objects, and held locks. */
const everything = `
  select jsonb_build_object(
    'rows', (select jsonb_object_agg(c.relname, query_to_xml(format('select * from public.%I order by 1', c.relname), true, false, '')::text)
             from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'm')),
    'relations', (select jsonb_agg(jsonb_build_array(n.nspname, c.relname, c.relkind, c.relacl::text, c.relnatts) order by n.nspname, c.relname)
                  from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname !~ '^pg_toast' and n.nspname <> 'pg_catalog'),
    'functions', (select count(*) from pg_proc),
    'extensions', (select jsonb_agg(extname order by extname) from pg_extension),
    'sequences', (select jsonb_agg(jsonb_build_array(sequencename, last_value) order by sequencename) from pg_sequences),
    'large objects', (select jsonb_agg(jsonb_build_array(loid, encode(data, 'hex')) order by loid, pageno) from pg_largeobject),
    'settings', (select jsonb_agg(setconfig) from pg_db_role_setting where setdatabase = (select oid from pg_database where datname = current_database())),
    'locks', (select count(*) from pg_locks where locktype = 'advisory'
              and database = (select oid from pg_database where datname = current_database()))
  )::text as everything`

/** As `reader`, who is granted what docs/security.md says and no more, or as the superuser who owns all of it. */
export const openPostgres = async (as: 'reader' | 'superuser'): Promise<SafeguardSubject> => {
  const database = await createTestDatabase()
  const admin = new Client({ connectionString: database.url })
  await admin.connect()
  await admin.query(tables)
  const reader = `querent_wall_${randomBytes(6).toString('hex')}`
  await admin.query(
    `create role ${reader} login password 'wall'; grant usage on schema public to ${reader};
     grant select on all tables in schema public to ${reader}`,
  )
  const url = new URL(database.url)
  if (as === 'reader') Object.assign(url, { username: reader, password: 'wall' })
  // Padding to a gigabyte and filling an array of 400 MB never look whether they are to stop: cut off by the connector,
  // they go on in the server until they are done.
  const others = async (): Promise<number> =>
    (
      await admin.query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      )
    ).rows[0]!.n
  const connector = await makePostgresConnector({ url: url.href, place: 'the walled database' })
  return {
    connector,
    look: async () => (await admin.query<{ everything: string }>(everything)).rows[0]!.everything,
    close: async () => {
      await connector.close()
      await vi.waitFor(async () => expect(await others()).toBe(0), { timeout: 50_000, interval: 250 })
      await admin.query(`drop owned by ${reader}; drop role ${reader}`)
      await admin.end()
      await database.drop()
    },
  }
}
