import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { makeSqliteConnector } from '../../../src/databases/connectors/sqlite/connector.ts'
import type { Connector } from '../../../src/domain/database.ts'
import type { QuerentError } from '../../../src/domain/errors.ts'
import { runOn } from '../../helpers/run-on.ts'
import { openSqliteFolder } from './sqlite-folder.ts'

const { folder, makeFile } = openSqliteFolder()

describe('SQLite files', () => {
  const opened: Connector[] = []
  const open = async (sql: string): Promise<Connector> => {
    const connector = await makeSqliteConnector({ file: makeFile(sql) })
    opened.push(connector)
    return connector
  }
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(connector => connector.close()))
  })
  const refusal = async (file: string): Promise<Pick<QuerentError, 'code' | 'message'>> =>
    makeSqliteConnector({ file }).then(
      () => expect.fail('it opened'),
      error => error,
    )

  it('are said to be missing, folders, empty or something else when they are', async () => {
    expect(await refusal(join(folder, 'nowhere.sqlite'))).toMatchObject({
      code: 'unknown-database',
      message: expect.stringContaining('There is no file'),
    })
    expect(await refusal(folder)).toMatchObject({
      code: 'unknown-database',
      message: expect.stringContaining('is a folder'),
    })
    const text = join(folder, 'notes.txt')
    writeFileSync(text, 'this is a text that is not a database')
    expect(await refusal(text)).toMatchObject({
      code: 'unknown-database',
      message: expect.stringContaining('not a SQLite database'),
    })
    const empty = join(folder, 'empty.sqlite')
    writeFileSync(empty, '')
    expect(await refusal(empty)).toMatchObject({ message: expect.stringContaining('is empty') })
  })

  it('are said to be broken when only their beginning is right', async () => {
    const file = join(folder, 'broken.sqlite')
    writeFileSync(file, `SQLite format 3\u0000${'garbage '.repeat(500)}`)
    const connector = await makeSqliteConnector({ file })
    opened.push(connector)
    await expect(runOn(connector, 'select 1')).rejects.toMatchObject({
      code: 'database-unreachable',
      message: expect.stringContaining(file),
    })
  })

  it.skipIf(process.getuid?.() === 0)('are said to be closed to this user', async () => {
    const file = makeFile('create table t (x)')
    chmodSync(file, 0o000)
    expect(await refusal(file)).toMatchObject({ code: 'database-unreachable' })
  })

  it('may hold text that is not valid UTF-8, and text with a zero in it', async () => {
    const connector = await open(`
      create table t (x text);
      insert into t values (cast(x'4dfc6e6368656e' as text)), ('a' || char(0) || 'b')`)
    expect((await runOn(connector, 'select x from t')).rows).toEqual([['M\ufffdnchen'], ['a\u0000b']])
  })

  it('may hold values of other types than were declared', async () => {
    const connector = await open(`
      create table t (number integer, flag boolean, day date, words text, mixed);
      insert into t values ('n/a', 2, '5 May', 7, 1), (1, 1, '2024-01-01', 'x', 'one'), (null, null, null, null, x'00')`)
    const result = await runOn(connector, 'select * from t')
    expect(result.columns.map(column => column.kind)).toEqual([
      'unknown',
      'integer',
      'text',
      'text',
      'unknown',
    ])
    expect(result.rows[0]).toEqual(['n/a', 2, '5 May', '7', 1])
    const [table] = (await connector.introspect()).tables
    expect(table!.columns.map(column => column.kind)).toEqual([
      'integer',
      'boolean',
      'date',
      'text',
      'unknown',
    ])
  })

  it('may declare keys without columns, in other case, twice, and to tables that are not there', async () => {
    const connector = await open(`
      create table Person (Id integer primary key, Name text);
      create table pair (a integer, b integer, primary key (b, a));
      create table keyless (x integer);
      create table child (
        person integer references PERSON,
        twice integer references person (ID) references person (ID),
        nowhere integer references gone (id),
        keyless integer references keyless,
        wrong integer references person (missing),
        x integer, y integer,
        foreign key (x, y) references pair)`)
    const { foreignKeys } = await connector.introspect()
    expect(foreignKeys.map(({ from, to }) => [from.columns, to.table, to.columns])).toEqual([
      [['person'], 'Person', ['Id']],
      [['twice'], 'Person', ['Id']],
      [['x', 'y'], 'pair', ['b', 'a']],
    ])
  })

  it('may have views over tables that are gone, generated columns and full-text tables', async () => {
    const connector = await open(`
      create table t (a integer, b integer generated always as (a * 2) virtual);
      insert into t (a) values (21);
      create table short_lived (x); create view dangling as select x from short_lived; drop table short_lived;
      create virtual table notes using fts5(body);
      insert into notes values ('a grey heron'), ('a white gull')`)
    const catalog = await connector.introspect()
    expect(catalog.tables.map(table => [table.name, table.columns.map(column => column.name)])).toEqual([
      ['notes', ['body']],
      ['t', ['a', 'b']],
    ])
    expect((await runOn(connector, 'select b from t')).rows).toEqual([[42]])
    expect((await runOn(connector, "select body from notes where notes match 'heron'")).rows).toEqual([
      ['a grey heron'],
    ])
  })

  it('take double-quoted text as text where no column bears the name', async () => {
    const connector = await open(`create table t (name text); insert into t values ('Gull'), ('name')`)
    expect((await runOn(connector, 'select count(*) from t where name = "Gull"')).rows).toEqual([[1]])
    expect((await runOn(connector, 'select count(*) from t where "name" = name')).rows).toEqual([[2]])
  })

  it('are counted, and their fingerprint changes with the schema and not with the rows', async () => {
    const [empty, filled, altered] = await Promise.all(
      [
        'create table t (x integer)',
        'create table t (x integer); insert into t values (1), (2)',
        'create table t (x text)',
      ].map(async sql => (await open(sql)).introspect()),
    )
    expect(empty!.tables[0]!.rowCount).toBe(0)
    expect(filled!.tables[0]!.rowCount).toBe(2)
    expect(filled!.fingerprint).toBe(empty!.fingerprint)
    expect(altered!.fingerprint).not.toBe(empty!.fingerprint)
  })

  it('use the time zone that was given', async () => {
    const file = makeFile('create table t (x)')
    const connector = await makeSqliteConnector({ file, timeZone: 'Asia/Tokyo' })
    opened.push(connector)
    expect((await runOn(connector, "select datetime('2024-01-01 00:00:00', 'localtime')")).rows).toEqual([
      ['2024-01-01 09:00:00'],
    ])
  })
})
