import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeMysqlConnector } from '../../../src/databases/connectors/mysql/connector.ts'
import type { Catalog, Table } from '../../../src/domain/catalog.ts'
import type { Connector } from '../../../src/domain/database.ts'
import { runOn } from '../../helpers/run-on.ts'
import { createMysqlDatabase, type MysqlTestDatabase } from '../../helpers/services/mysql-database.ts'
import { sqlErrorOf } from '../../helpers/sql-error-of.ts'
import { mysqlServerUrl } from './mysql-service.ts'

const failure = (...statement: Parameters<typeof runOn>) => sqlErrorOf(runOn(...statement))

describe.skipIf(mysqlServerUrl === null)('a MySQL catalog', () => {
  let database: MysqlTestDatabase
  let connector: Connector
  let catalog: Catalog
  const role = `querent_${randomBytes(4).toString('hex')}`
  const find = (name: string): Table | undefined => catalog.tables.find(table => table.name === name)

  beforeAll(async () => {
    database = await createMysqlDatabase(mysqlServerUrl!)
    const { name } = database
    await database.admin(`
      create table ships (id int primary key, name varchar(40) not null comment 'As painted', secret text,
        captain_id int) comment = 'Everything that floats';
      create table captains (id int primary key, name varchar(40));
      alter table ships add foreign key (captain_id) references captains (id);
      create table crews (id int primary key, ship_id int, captain_id int,
        foreign key (captain_id) references captains (id));
      create table hidden (id int primary key);
      create table \`odd name\` (\`a b\` int, \`order\` int, primary key (\`a b\`, \`order\`));
      create view fleet as select name from ships where name <> 'it''s gone';
      create view veiled as select id from captains;
      insert into ships (id, name) values (1, 'Gull'), (2, 'Heron');
      analyze table ships;
      create user '${role}'@'%' identified by 'let me read';
      create user '${role}'@'localhost' identified by 'let me read';
    `)
    // Servers keep the foreign keys of a table from a role that may read only some of its columns.
    for (const host of ['%', 'localhost'])
      await database.admin(`
        grant select (id, name, captain_id) on ${name}.ships to '${role}'@'${host}';
        grant select on ${name}.crews to '${role}'@'${host}';
        grant select on ${name}.captains to '${role}'@'${host}';
        grant select on ${name}.\`odd name\` to '${role}'@'${host}';
        grant select, show view on ${name}.fleet to '${role}'@'${host}';
        grant select on ${name}.veiled to '${role}'@'${host}';
        grant insert on ${name}.hidden to '${role}'@'${host}';
      `)
    const url = new URL(database.url)
    url.username = role
    url.password = 'let me read'
    connector = await makeMysqlConnector({ url: url.href, place: 'test' })
    catalog = await connector.introspect()
  })
  afterAll(async () => {
    await connector.close()
    await database.admin(`drop user '${role}'@'%', '${role}'@'localhost'`)
    await database.drop()
  })

  it('lists what the role may read', () => {
    expect(catalog.tables.map(table => [table.schema, table.name, table.type])).toEqual([
      [null, 'captains', 'table'],
      [null, 'crews', 'table'],
      [null, 'fleet', 'view'],
      [null, 'odd name', 'table'],
      [null, 'ships', 'table'],
      [null, 'veiled', 'view'],
    ])
    expect(find('ships')?.columns.map(column => column.name)).toEqual(['id', 'name', 'captain_id'])
  })

  it('gives comments, keys and the engine’s estimate of rows', () => {
    expect(find('ships')).toMatchObject({ comment: 'Everything that floats', rowCount: 2 })
    expect(find('ships')?.columns.map(column => column.comment)).toEqual([null, 'As painted', null])
    expect(find('fleet')).toMatchObject({ comment: null, rowCount: null })
    expect(find('odd name')?.primaryKey).toEqual(['a b', 'order'])
    expect(catalog.foreignKeys).toEqual([
      {
        from: { table: 'crews', columns: ['captain_id'] },
        to: { table: 'captains', columns: ['id'] },
        source: 'declared',
        inclusion: null,
      },
    ])
  })

  it('gives the queries of views with plain names, where the role may see them', () => {
    expect(
      find('fleet')
        ?.definition?.replaceAll('`', '')
        .replace(/_utf8mb4/, ''),
    ).toMatch(/^select ships.name AS name from ships where \(?ships.name <> 'it\\?''?s gone'\)?$/)
    expect(find('veiled')).not.toHaveProperty('definition')
    expect(find('ships')).not.toHaveProperty('definition')
  })

  it('refuses what the role may not read', async () => {
    expect(await failure(connector, 'select secret from ships')).toMatchObject({
      errorClass: 'permission',
      driverCode: '1143',
    })
    expect(await failure(connector, 'select * from hidden')).toMatchObject({
      errorClass: 'permission',
      driverCode: '1142',
    })
  })

  it('changes its fingerprint with a column, and not with rows', async () => {
    await database.admin("insert into captains values (1, 'Ada')")
    expect((await connector.introspect()).fingerprint).toBe(catalog.fingerprint)
    await database.admin('alter table captains add column born date')
    expect((await connector.introspect()).fingerprint).not.toBe(catalog.fingerprint)
  })
})
