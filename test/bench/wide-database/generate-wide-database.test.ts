import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { generateWideDatabase } from '../../../bench/wide-database/generate-wide-database.ts'
import { writeSqlite } from '../../../bench/wide-database/write-sqlite.ts'

const small = { seed: 3, tables: 420, columns: 5000, mostRows: 12 }

describe('a generated wide database', () => {
  it('has exactly so many tables and columns, each name once', () => {
    const tables = generateWideDatabase(small)
    expect(new Set(tables.map(table => table.name)).size).toBe(420)
    expect(tables.reduce((sum, table) => sum + table.columns.length, 0)).toBe(5000)
    for (const { columns } of tables)
      expect(new Set(columns.map(column => column.name)).size).toBe(columns.length)
  })

  it('depends on its seed alone', () => {
    const told = (seed: number) =>
      JSON.stringify(
        generateWideDatabase({ ...small, seed }).map(table => [table.columns, table.keys, [...table.rows()]]),
      )
    expect(told(3)).toBe(told(3))
    expect(told(3)).not.toBe(told(4))
  })

  it('holds every key that it tells of, declared or not', () => {
    const folder = mkdtempSync(join(tmpdir(), 'querent-wide-'))
    try {
      const tables = generateWideDatabase(small)
      const file = join(folder, 'wide.sqlite')
      writeSqlite(file, tables)
      const database = new DatabaseSync(file, { readOnly: true })
      const keys = tables.flatMap(table => table.keys.map(key => ({ ...key, from: table.name })))
      expect(keys.some(key => key.declared) && keys.some(key => !key.declared)).toBe(true)
      for (const { from, column, table, targetColumn } of keys) {
        const strays = database
          .prepare(
            `SELECT count(*) AS n FROM ${from} WHERE ${column} NOT IN (SELECT ${targetColumn} FROM ${table})`,
          )
          .get()
        expect(strays).toEqual({ n: 0 })
      }
      expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([])
      database.close()
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
