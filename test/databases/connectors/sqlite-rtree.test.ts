import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, test } from 'vitest'
import { makeSqliteConnector } from '../../../src/databases/connectors/sqlite/connector.ts'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { makeScopedGuard } from '../../../src/databases/guard/scope/apply-scope.ts'
import { scopedDatabase } from '../../../src/databases/guard/scope/scoped-database.ts'
import type { Connector } from '../../../src/domain/database.ts'
import { runOn } from '../../helpers/run-on.ts'
import { fullScope } from '../guard/scope-catalog.ts'
import { openSqliteFolder } from './sqlite-folder.ts'

const { makeFile } = openSqliteFolder()

const places = `
  create virtual table places using rtree(id, minx, maxx, miny, maxy, +label text);
  insert into places values (1, 0, 1, 0, 1, 'park'), (2, 5, 6, 5, 6, 'zoo');
  create virtual table "odd name" using rtree_i32(id, low, high);
  insert into "odd name" values (1, 2, 3);
  create virtual table shapes using geopoly(name);
  insert into shapes (name, _shape) values ('square', '[[0,0],[1,0],[1,1],[0,1],[0,0]]');`

describe('R*Tree tables of SQLite', () => {
  const opened: Connector[] = []
  const open = async (file: string): Promise<Connector> => {
    const connector = await makeSqliteConnector({ file, processes: 1 })
    opened.push(connector)
    return connector
  }
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(connector => connector.close()))
  })

  test('can be read, by their bounds and in joins', async () => {
    const connector = await open(makeFile(places))
    expect((await runOn(connector, 'select id, label from places where minx > 2')).rows).toEqual([[2, 'zoo']])
    expect(
      (await runOn(connector, 'select p.label, o.high from places p join "odd name" o using (id)')).rows,
    ).toEqual([['park', 3]])
    expect((await runOn(connector, 'select name from shapes')).rows).toEqual([['square']])
  })

  test('can be read after the schema has changed', async () => {
    const file = makeFile(places)
    const connector = await open(file)
    await runOn(connector, 'select id from places')
    const writer = new DatabaseSync(file)
    writer.exec(
      'create virtual table later using rtree(id, a, b); insert into later values (7, 1, 2); drop table shapes',
    )
    writer.close()
    expect((await runOn(connector, 'select id from later where a < 3')).rows).toEqual([[7]])
    expect((await runOn(connector, 'select count(*) from places')).rows).toEqual([[2]])
  })

  test('are still not written, and neither is anything else', async () => {
    const connector = await open(makeFile(places))
    for (const sql of [
      "insert into places values (3, 0, 1, 0, 1, 'x') returning id",
      'delete from places returning id',
      'delete from places_rowid returning rowid',
      "update places_node set data = x'00' returning 1",
    ])
      await expect(runOn(connector, sql)).rejects.toThrow(/not authorized|may not be modified/)
    expect((await runOn(connector, 'select count(*) from places')).rows).toEqual([[2]])
  })

  test('keep their inner tables to themselves', async () => {
    const connector = await open(makeFile(places))
    const catalog = await connector.introspect()
    expect(catalog.tables.map(({ name }) => name)).toEqual(['odd name', 'places', 'shapes'])
    const guard = makeScopedGuard(makeGuard(), {
      dialect: 'sqlite',
      find: scopedDatabase(catalog, fullScope({})).find,
    })
    expect(guard('select id from places where minx > 2', 'sqlite').verdict).toBe('allow')
    for (const table of ['places_node', 'places_rowid', 'places_parent', '"odd name_node"', 'shapes_node'])
      expect(guard(`select * from ${table}`, 'sqlite').verdict).toBe('refuse')
  })
})
