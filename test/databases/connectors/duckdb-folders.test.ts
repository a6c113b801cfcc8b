import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { makeDuckdbFile } from '../../helpers/duckdb-file.ts'
import { runOn } from '../../helpers/run-on.ts'
import { duckdbProcesses, failure, openDuckdbFolder } from './duckdb-folder.ts'

const { open, makeFolder } = openDuckdbFolder()

describe('DuckDB files', () => {
  it('of every kind in a folder are tables, and nothing else in it is', async () => {
    const path = makeFolder({
      'Sales Orders.csv': 'id;amount;day\n1;2.50;2024-01-02\n2;3.00;2024-02-03\n',
      'parts.tsv': 'id\tname\n1\tbolt\n',
      'events.jsonl': '{"at": "2024-01-02T03:04:05", "tags": ["a", "b"]}\n{"at": null, "tags": []}\n',
      'regions.json': '[{"code": "N", "name": "North"}]',
      'notes.txt': 'not a table',
      '.hidden.csv': 'a,b\n1,2\n',
    })
    await makeDuckdbFile(
      ':memory:',
      `copy (select 1 as id, 'Gull' as name) to '${join(path, 'ships.parquet')}'`,
    )
    const connector = await open(path)
    const catalog = await connector.introspect()
    expect(catalog.tables.map(table => [table.name, table.type, table.rowCount])).toEqual([
      ['Sales Orders', 'table', 2],
      ['events', 'table', 2],
      ['parts', 'table', 1],
      ['regions', 'table', 1],
      ['ships', 'table', 1],
    ])
    expect(catalog.tables[0]!.columns.map(column => [column.name, column.kind])).toEqual([
      ['id', 'integer'],
      ['amount', 'number'],
      ['day', 'date'],
    ])
    expect((await runOn(connector, 'select sum(amount) from "Sales Orders"')).rows).toEqual([[5.5]])
    expect((await runOn(connector, 'select name from ships union all select name from parts')).rows).toEqual([
      ['Gull'],
      ['bolt'],
    ])
  })

  it('are found by a type that all of their rows have', async () => {
    const rows = Array.from({ length: 30_000 }, (_, index) => `${index},${index}`)
    const path = makeFolder({ 'codes.csv': `id,code\n${rows.join('\n')}\n30000,A1\n` })
    const connector = await open(path)
    expect((await runOn(connector, 'select max(id), max(code) from codes')).rows).toEqual([[30_000, 'A1']])
  })

  it('are all that can be reached, and cannot be written', async () => {
    const path = makeFolder({ 'a.csv': 'x\n1\n' })
    const other = makeFolder({ 'b.csv': 'x\n2\n' })
    const connector = await open(path)
    const file = join(path, 'a.csv')
    for (const sql of [
      `select * from read_csv('${join(other, 'b.csv')}')`,
      `select * from '${join(other, 'b.csv')}'`,
      `select * from read_csv('${path}/../${other.split('/').at(-1)}/b.csv')`,
      `copy (select 3 as x) to '${file}' (use_tmp_file false)`,
      `explain analyze copy (select 3 as x) to '${file}' (use_tmp_file false)`,
      'create table x (a integer)',
      'create or replace view a as select 3 as x',
    ])
      expect(await failure(runOn(connector, sql))).toMatchObject({ errorClass: 'permission' })
    expect(readFileSync(file, 'utf8')).toBe('x\n1\n')
    expect(await connector.checkSafeguards()).toEqual({
      refusesWrites: true,
      stopsAtTimeout: true,
      cancelFreesServer: true,
      roleCanWrite: null,
    })
    expect(readdirSync(path)).toEqual(['a.csv'])
  })

  it('are read again when they were changed, added or removed', async () => {
    const path = makeFolder({ 'a.csv': 'x\n1\n' })
    const connector = await open(path)
    expect((await runOn(connector, 'select * from a')).rows).toEqual([[1]])
    writeFileSync(join(path, 'a.csv'), 'name,y\none,1\ntwo,2\n')
    writeFileSync(join(path, 'b.csv'), 'z\n3\n')
    expect((await runOn(connector, 'select count(*), max(z) from a, b')).rows).toEqual([[2, 3]])
    rmSync(join(path, 'b.csv'))
    expect(await failure(runOn(connector, 'select * from b'))).toMatchObject({ errorClass: 'unknown-table' })
  })

  it('that are written all the time do not fill the machine with processes', async () => {
    const path = makeFolder({ 'a.csv': 'x\n0\n' })
    const connector = await open(path)
    for (let round = 1; round <= 5; round++) {
      writeFileSync(join(path, 'a.csv'), `x\n${'1\n'.repeat(round)}`)
      expect((await runOn(connector, 'select sum(x) from a')).rows).toEqual([[round]])
    }
    await vi.waitFor(() => expect(duckdbProcesses.processesOn(path).length).toBeLessThanOrEqual(1))
  })

  it('may be one alone, with quotes in its name and its columns', async () => {
    const path = join(makeFolder({ "Bo's Größe.csv": `it's,"say ""no"""\n1,2\n` }), "Bo's Größe.csv")
    const connector = await open(path)
    const result = await runOn(connector, `select * from "Bo's Größe"`)
    expect(result.columns.map(column => column.name)).toEqual(["it's", 'say "no"'])
    expect(result.rows).toEqual([[1, 2]])
  })

  it('may have dots in their names', async () => {
    const connector = await open(makeFolder({ 'sales.2024.csv': 'x\n1\n' }))
    expect((await connector.introspect()).tables.map(({ name }) => name)).toEqual(['sales_2024'])
    expect((await runOn(connector, 'select x from sales_2024')).rows).toEqual([[1]])
    const both = await failure(open(makeFolder({ 'a.b.csv': 'x\n1\n', 'a_b.csv': 'x\n1\n' })))
    expect(both.message).toContain('would both be the table a_b')
  })
})
