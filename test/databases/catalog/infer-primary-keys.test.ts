import { describe, expect, it } from 'vitest'
import { inferPrimaryKeys } from '../../../src/databases/catalog/profile-catalog.ts'
import type { Column, Table } from '../../../src/domain/catalog.ts'

const column = (name: string, distinctCount: number, rowsRead = 100): Column => ({
  name,
  type: 'bigint',
  kind: 'integer',
  nullable: true,
  comment: null,
  profile: {
    ...{ nullShare: 0, distinctCount, min: 1, max: 100, mostFrequent: [], meanLength: 2, rowsRead },
  },
})

const table = (columns: readonly Column[], more: Partial<Table> = {}): Table => ({
  ...{ schema: null, name: 'students', type: 'table', comment: null, rowCount: 100, columns, primaryKey: [] },
  ...more,
})

const keysOf = (dialect: string, ...tables: readonly Table[]): readonly (readonly string[])[] =>
  inferPrimaryKeys({ dialect, tables, foreignKeys: [] }).tables.map(({ primaryKey }) => primaryKey)

describe('keys of engines that declare none', () => {
  it('are columns named like one, with another value in every row', () => {
    const students = table([column('age', 100), column('stuid', 100), column('card_no', 100)])
    for (const dialect of ['trino', 'spark', 'clickhouse'])
      expect(keysOf(dialect, students)).toEqual([['stuid']])
  })

  it('are not columns whose values repeat, nor those of a view', () => {
    const visits = table([column('student_id', 40), column('note', 100)])
    const view = table([column('id', 100)], { type: 'view' })
    expect(keysOf('trino', visits, view)).toEqual([[], []])
  })

  it('are not columns that refer to another table, such as those of pairs', () => {
    const pairs = table([column('student_id', 40), column('pet_id', 100)], { name: 'has_pet' })
    const foreignKeys = [
      {
        ...({ source: 'derived', inclusion: 1 } as const),
        from: { table: 'has_pet', columns: ['pet_id'] },
        to: { table: 'pets', columns: ['pet_id'] },
      },
    ]
    expect(
      inferPrimaryKeys({ dialect: 'trino', tables: [pairs], foreignKeys }).tables[0]?.primaryKey,
    ).toEqual([])
  })

  it('are left as they are where the engine declares them', () => {
    expect(keysOf('sqlite', table([column('id', 100)]))).toEqual([[]])
    expect(keysOf('trino', table([column('id', 100)], { primaryKey: ['code'] }))).toEqual([['code']])
  })
})
