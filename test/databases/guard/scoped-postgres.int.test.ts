import { Client } from 'pg'
import { expect, test } from 'vitest'
import { parseDatabaseReference } from '../../../src/databases/database-reference.ts'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { openDatabase } from '../../../src/databases/open-database.ts'
import { silentAudit } from '../../../src/domain/operations/audit.ts'
import { createTestDatabase } from '../../helpers/test-database.ts'
import { fullScope } from './scope-catalog.ts'

const limits = { timeoutMs: 10_000, maxRows: 10, maxBytes: 1_000_000 }

test('a scope holds over schemas, search paths, views and partitions of Postgres', async () => {
  await using made = await createTestDatabase()
  const client = new Client({ connectionString: made.url })
  await client.connect()
  try {
    await client.query(`
      create schema hr; create schema sales;
      create table sales.deals (id int, amount int, ssn text);
      insert into sales.deals select n, n, 'secret' || n from generate_series(1, 40) n;
      create table sales.targets (id int, amount int);
      create table customers (id int, name text, email text);
      insert into customers select n, 'Name' || n, 'mail' || n from generate_series(1, 40) n;
      create table hr.salaries (id int, amount int);
      create table hr.teams (id int, title text);
      create view names as select id, name from customers;
      create view contacts as select id, lower(email) as e from customers;
      create view wages as select c.name, s.amount from customers c join hr.salaries s using (id);
      create materialized view copies as select * from customers;
      create table parts (id int, k text) partition by list (id);
      create table parts_1 partition of parts for values in (1);
    `)
    const { rows } = await client.query<{ name: string }>('select current_database() as name')
    await client.query(`alter database ${rows[0]?.name} set search_path = sales, public`)
  } finally {
    await client.end()
  }
  const scope = fullScope({
    tables: { exclude: ['hr.salaries', 'sales.targets'] },
    columns: { exclude: ['customers.email'], mask: ['sales.*.ssn'] },
  })
  const opened = await openDatabase(parseDatabaseReference(made.url, { baseFolder: '/' }), {
    audit: silentAudit,
    guard: makeGuard(),
    limits,
    scope,
  })
  try {
    const { database } = opened
    const seen = database.catalog.tables.map(({ name, columns }) => [
      name,
      columns.map(column => (column.masked ? `${column.name} (masked)` : column.name)).join(' '),
    ])
    expect(Object.fromEntries(seen)).toEqual({
      customers: 'id name',
      deals: 'id amount ssn (masked)',
      names: 'id name',
      parts: 'id k',
      teams: 'id title',
    })
    for (const value of ['secret7', 'mail7']) expect(database.findValues(value)).toEqual([])
    const verdicts = [
      'select name from names',
      'select title from hr.teams',
      'select title from teams',
      'select name from public.customers',
      'select amount from sales.deals',
      'select k from parts',
    ].map(sql => [sql, database.guard(sql).verdict])
    expect(verdicts.filter(([, verdict]) => verdict !== 'allow')).toEqual([])
    const closed = [
      'select * from contacts',
      'select * from wages',
      'select name from copies',
      'select amount from salaries',
      'select amount from hr.salaries',
      'select amount from targets',
      'select amount from public.deals',
      'select ssn from deals',
      'select k from parts_1',
    ].map(sql => [sql, database.guard(sql).verdict])
    expect(closed.filter(([, verdict]) => verdict !== 'refuse')).toEqual([])

    const verdict = database.guard('select name from customers order by id')
    if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
    const result = await database.run(verdict.guarded)
    expect(result.rows).toHaveLength(10)
    expect(result.truncated).toBe('rows')
  } finally {
    await opened.close()
  }
}, 60_000)

/** Functions of the database that read a table which is left out, and what calls them without their names. */
const ownSyntax = `
  create table secrets (id int, note text);
  insert into secrets values (1, 'zinc');
  create type mood as enum ('good', 'bad');
  create type spot as (x int, y int);
  create function leak(int, text) returns text language sql as 'select max(note) from secrets';
  create function leak_one(int) returns text language sql as 'select max(note) from secrets';
  create function leak_json(json, json) returns boolean language sql as 'select max(note) like ''z%'' from secrets';
  create function leak_row(anyelement) returns text language sql as 'select max(note) from secrets';
  create function value(anyelement) returns text language sql as 'select max(note) from secrets';
  create function to_mood(text) returns mood language sql as 'select (array[''good'', ''bad''])[count(*)]::mood from secrets';
  create function to_spot(date) returns spot language sql as 'select row(count(*), 1)::spot from secrets';
  create function passes(text) returns boolean language sql as 'select not exists (select from secrets where note like $1)';
  create function collect(text, text) returns text language sql as 'select max(note) from secrets';
  create aggregate every (text) (sfunc = collect, stype = text);
  create procedure tidy() language sql as 'delete from secrets';
  create operator === (leftarg = int, rightarg = text, function = leak);
  create operator @ (rightarg = text, function = length);
  create operator !! (rightarg = int, function = leak_one);
  create operator = (leftarg = json, rightarg = json, function = leak_json);
  create operator <> (leftarg = json, rightarg = json, function = leak_json);
  create operator ~~ (leftarg = int, rightarg = text, function = leak);
  create operator + (leftarg = text, rightarg = text, function = textcat);
  create function same_point(point, point) returns boolean language sql as 'select max(note) like ''z%'' from secrets';
  create function hash_point(point) returns int language sql immutable as 'select 1';
  create operator === (leftarg = point, rightarg = point, function = same_point, hashes);
  create operator class points default for type point using hash as operator 1 ===, function 1 hash_point(point);
  create cast (text as mood) with function to_mood(text) as assignment;
  create cast (date as spot) with function to_spot(date) as implicit;
  create cast (integer as text) with inout as implicit;
  create domain guessed as text check (passes(value));
  create table people (id int, name text, born date, feels mood, doc json, place spot, guess guessed,
    amount numeric(10, 2), corner point);
  insert into people values (1, 'ada', '2000-01-01', 'good', '{}', row(1, 2), 'no', 5, point(1, 2));
  create view equal_docs as select id === name as note from people;
  create view guesses as select name::guessed as guess from people;
  create view names as select name from people where id = 1;`

/** Opens a new database under a list that leaves out `secrets`, and says what becomes of statements. */
const tryWithout = async (
  setup: string,
  statements: readonly string[],
): Promise<readonly (readonly [string, string])[]> => {
  await using made = await createTestDatabase()
  const client = new Client({ connectionString: made.url })
  await client.connect()
  try {
    await client.query(setup)
  } finally {
    await client.end()
  }
  const opened = await openDatabase(parseDatabaseReference(made.url, { baseFolder: '/' }), {
    audit: silentAudit,
    guard: makeGuard(),
    limits,
    scope: fullScope({ tables: { exclude: ['secrets'] } }),
  })
  const outcome = async (sql: string): Promise<string> => {
    const verdict = opened.database.guard(sql)
    if (verdict.verdict === 'refuse') return `refused: ${verdict.reason}`
    try {
      return JSON.stringify((await opened.database.run(verdict.guarded)).rows)
    } catch (error) {
      return `failed: ${(error as Error).message}`
    }
  }
  try {
    const outcomes: (readonly [string, string])[] = []
    for (const sql of statements) outcomes.push([sql, await outcome(sql)])
    return outcomes
  } finally {
    await opened.close()
  }
}

test('functions of a Postgres database are not called by operators, casts, types or fields', async () => {
  const outcomes = await tryWithout(ownSyntax, [
    // Operators.
    'select id === name from people',
    'select 1 === name from people',
    'select !! id from people',
    'select doc = doc from people',
    "select doc = '{}' from people",
    "select '{}'::json = '{}'::json",
    'select doc in (doc) from people',
    'select doc not in (doc, doc) from people',
    'select id from people where doc in (select doc from people)',
    'select doc = any (array[doc]) from people',
    'select nullif(doc, doc) from people',
    'select doc is distinct from doc from people',
    'select case doc when doc then 1 end from people',
    'select 1 from people a join people b using (doc)',
    'select 1 from people a natural join people b',
    'select (a.name::text, a.doc) = (b.name, b.doc) from people a, people b',
    'select x.d = x.d from (select json_build_object(name, 1) as d from people) x',
    'select x.id = x.id from (select doc as id from people) x',
    'select x.id = x.id from (select id::text::json as id from people) x',
    "select id like 'a%' from people",
    "select id like name || '%' from people",
    "select 1 operator(public.===) 'x'",
    "select 1 operator(public.~~) any (select 'x')",
    'select id from people order by doc using operator(public.=)',
    'select id from people order by id using operator(public.<)',
    'select 1 operator(public.=) any (select 1)',
    // Casts and types.
    'select name::mood from people',
    'select cast(lower(name) as mood) from people',
    'select x.y::mood from (select name as y from people) x',
    "select ('b' || 'ad')::mood",
    'select name::mood[] from people',
    'select born::spot from people',
    'select coalesce(place, born) from people',
    'select case when id = 1 then place else born end from people',
    "select 'zinc'::guessed",
    "select '{zinc}'::guessed[]",
    'select name::guessed from people',
    `select * from json_to_record('{"a": "zinc"}') as x (a guessed)`,
    `select json_populate_record(p, '{"guess": "zinc"}') from people p`,
    'select distinct corner from people',
    'select count(*) from people group by corner',
    'select corner from people union select corner from people',
    // Fields.
    'select people.leak_row from people',
    'select p.leak_row from people p',
    'select (p).leak_row from people p',
    'select (p).value from people p',
    'select x.leak_row from (select id from people) as x (a)',
    'select x.value from (select id from people) as x (a)',
    'select (x).value from (select id from people) as x (a)',
    "select r.leak_row from json_to_record('{}') as r (a int)",
    'select j.leak_row from (people a join people b on true) as j',
    'select g.leak_row from generate_series(1, 2) as g',
    // Aggregates under a name that is allowed, procedures, and views.
    'select every(name) from people',
    'select tidy()',
    'call tidy()',
    'select note from equal_docs',
    'select guess from guesses',
  ])
  expect(outcomes.filter(([, outcome]) => !outcome.startsWith('refused'))).toEqual([])
}, 60_000)

test('operators and casts that call functions of the database leave other statements open', async () => {
  const outcomes = await tryWithout(ownSyntax, [
    "select name from people where id = 1 and name = 'ada' and feels = 'good'",
    'select id from people where id in (1, 2) and amount between 1 and 5',
    "select id from people where name like 'a%' and lower(name) like 'a%'",
    'select count(*) from people group by name having count(*) = 1',
    'select nullif(amount, 0) from people',
    'select 1 from people a join people b using (id)',
    "select 'good'::mood, feels::text from people",
    'select amount::int, name::varchar from people',
    'select p.id, p.name from people p, generate_series(1, 2) n',
    'select name from names',
    'select name + name from people',
    'select doc from people',
    "select doc ->> 'a' from people where id = 1",
    'select guess from people',
    'select max(id), min(born) from people where born > current_date - 90000',
  ])
  expect(outcomes.filter(([, outcome]) => !outcome.startsWith('['))).toEqual([])
}, 60_000)

test('a database without operators and casts of its own has no refusals for them', async () => {
  const extensions = ['citext', 'hstore', 'pg_trgm', 'ltree']
  const outcomes = await tryWithout(
    `create table secrets (id int);
     ${extensions
       .map(
         name => `do $$ begin
           create extension ${name};
         exception when others then null;
         end $$;`,
       )
       .join('\n')}
     create function touch() returns trigger language plpgsql as 'begin return new; end';
     create function total(int) returns int language sql as 'select $1';
     create table people (id int, name text, total int);
     insert into people values (1, 'ada', 3);
     create view totals as select p.total from people p where p.name = 'ada'`,
    [
      "select id = 1, name like 'a%', name in ('a', 'b'), nullif(id, 0), name is distinct from 'x' from people",
      'select p.total from people p',
      'select p.total from people p, generate_series(1, 2) n',
      'select x.total from (select sum(total) as total from people) x',
      'select total from totals',
      "select 'a'::text, id::numeric, '{}'::json from people",
    ],
  )
  expect(outcomes.filter(([, outcome]) => !outcome.startsWith('['))).toEqual([])
}, 60_000)
