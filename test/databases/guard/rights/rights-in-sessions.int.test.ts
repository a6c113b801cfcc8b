import { afterAll, expect, test } from 'vitest'
import { type DataRights, plainSession } from '../../../../src/domain/access/data-rights.ts'
import { unrestrictedScope } from '../../../../src/domain/database.ts'
import { createMysqlDatabase } from '../../../helpers/services/mysql-database.ts'
import { requireService } from '../../../helpers/services/require-service.ts'
import { makeSqliteFile } from '../../../helpers/sqlite-file.ts'
import { createTestDatabase } from '../../../helpers/test-database.ts'
import { withClient } from '../../../helpers/with-client.ts'
import { openUnder, tryStatement } from './try-rights.ts'

// The database's own policies decide here: the statement runs as a role and with the variables of the person.

const mysqlUrl = requireService('MYSQL_URL', 'roles and session variables on MariaDB and MySQL')

const undo: (() => unknown)[] = []

afterAll(async () => {
  for (const step of undo.reverse()) await step()
})

const as = (role: string | null, variables: Record<string, string>): DataRights => ({
  key: '0123456789abcdef',
  group: 'people',
  scope: unrestrictedScope,
  rowRules: [],
  columnMasks: [],
  mayExport: true,
  session: { ...plainSession, role, variables },
})

const seenBy = async (address: string, rights: DataRights, sql: string): Promise<string> => {
  const opened = await openUnder(address, rights)
  try {
    return (await tryStatement(opened, sql)).shown
  } finally {
    await opened.close()
  }
}

test('row-level security of Postgres reads the role and the variables', async () => {
  const made = await createTestDatabase()
  const role = `reader_${made.url.split('_').at(-1)}`
  undo.push(async () => {
    await withClient(made.url, client => client.query(`drop owned by ${role}; drop role ${role}`))
    await made.drop()
  })
  await withClient(made.url, client =>
    client.query(`
      create table deals (id integer primary key, owner text, amount integer);
      insert into deals values (1, 'ada', 10), (2, 'bob', 20), (3, 'ada', 30);
      create table secrets (id integer);
      create role ${role};
      grant select on deals to ${role};
      alter table deals enable row level security;
      create policy own on deals using (owner = current_setting('app.person', true))`),
  )
  const sql = 'select sum(amount) from deals'
  expect(await seenBy(made.url, as(role, { 'app.person': 'ada' }), sql)).toContain('40')
  expect(await seenBy(made.url, as(role, { 'app.person': 'bob' }), sql)).toContain('20')
  expect(await seenBy(made.url, as(role, { 'app.person': "x' or '1'='1" }), sql)).toContain('null')

  // One pool, one statement after the other: nothing of one person is left for the next.
  const opened = await openUnder(made.url, as(role, { 'app.person': 'ada' }))
  undo.push(opened.close)
  expect(opened.database.catalog.tables.map(({ name }) => name)).toEqual(['deals'])
  expect(opened.database.findValues('bob')).toEqual([])
  expect((await tryStatement(opened, 'select current_user')).shown).not.toContain('postgres')
  expect((await tryStatement(opened, "select set_config('role', 'none', true)")).status).toBe('refused')
})

test.skipIf(mysqlUrl === null)('views of MariaDB and MySQL read the variables, and roles hold', async () => {
  const made = await createMysqlDatabase(mysqlUrl ?? '')
  const role = `r_${made.name.slice(-12)}`
  undo.push(async () => {
    await made.admin(`drop role if exists ${role}`)
    await made.drop()
  })
  for (const statement of [
    'create table deals (id integer primary key, owner varchar(20), amount integer)',
    "insert into deals values (1, 'ada', 10), (2, 'bob', 20), (3, 'ada', 30)",
    'create function person() returns varchar(20) no sql return @person',
    'create view own_deals as select id, owner, amount from deals where owner = person()',
    `create role ${role}`,
  ])
    await made.admin(statement)
  const sql = 'select sum(amount) from own_deals'
  expect(await seenBy(made.url, as(null, { person: 'ada' }), sql)).toContain('40')
  expect(await seenBy(made.url, as(null, { person: 'bob' }), sql)).toContain('20')
  const opened = await openUnder(made.url, as(null, { person: 'ada' }))
  undo.push(opened.close)
  expect((await tryStatement(opened, "select @person := 'bob', sum(amount) from own_deals")).status).toBe(
    'refused',
  )
  expect((await tryStatement(opened, 'select @person')).status).toBe('refused')
  await made.admin(`grant select on ${made.name}.own_deals to ${role}`)
  const underRole = await openUnder(made.url, as(role, { person: 'ada' }))
  undo.push(underRole.close)
  expect((await tryStatement(underRole, 'select sum(amount) from own_deals')).shown).toContain('40')
})

test.skipIf(mysqlUrl === null)(
  'a function of the database under an allowed name reads no hidden row',
  async () => {
    const made = await createMysqlDatabase(mysqlUrl ?? '')
    undo.push(made.drop)
    for (const statement of [
      'create table deals (id integer primary key, owner varchar(20), amount integer)',
      "insert into deals values (1, 'ada', 10), (2, 'bob', 20), (3, 'ada', 30)",
      'create function st_latitude(x integer) returns integer reads sql data return (select sum(amount) from deals)',
    ])
      await made.admin(statement)
    const rules = { rowRules: [{ table: 'deals', condition: "owner = 'ada'" }] }
    const opened = await openUnder(made.url, { ...as(null, {}), ...rules })
    undo.push(opened.close)
    expect((await tryStatement(opened, 'select sum(amount) from deals')).shown).toContain('40')
    const called = await tryStatement(opened, 'select st_latitude(1)')
    expect(called.status).not.toBe('rows')
    expect(called.shown).toContain('st_latitude')
  },
)

test('a database without roles and variables refuses to open under them', async () => {
  const { file, remove } = makeSqliteFile('create table deals (id integer)')
  undo.push(remove)
  await expect(openUnder(`sqlite:${file}`, as('reader', {}))).rejects.toThrow('SQLite has no roles')
  await expect(openUnder(`sqlite:${file}`, as(null, { person: 'ada' }))).rejects.toThrow(
    'no session variables',
  )
})
