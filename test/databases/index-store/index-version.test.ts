import { describe, expect, it } from 'vitest'
import { decideRefresh, type IndexState } from '../../../src/databases/index-store/index-version.ts'
import type { Catalog } from '../../../src/domain/catalog.ts'
import { harborCatalog } from '../catalog/harbor-catalog.ts'

const hours = (count: number): Date => new Date(Date.UTC(2026, 10, 20) + count * 3_600_000)

const ages = { maxAgeMs: 24 * 3_600_000, retryMs: 600_000 }

const profile = { nullShare: 0, distinctCount: 1, min: 1, max: 1, mostFrequent: [], meanLength: 1 }

const measured: Catalog = {
  ...harborCatalog,
  tables: harborCatalog.tables.map(table => ({
    ...table,
    columns: table.columns.map(column => ({ ...column, profile })),
  })),
}

const [first, ...rest] = measured.tables

const partly: Catalog = { ...measured, tables: [harborCatalog.tables[2]!, first!, ...rest] }

const server: IndexState = {
  catalog: measured,
  savedAt: hours(0),
  measuredAt: hours(0),
  sameSchema: true,
  sameFile: null,
}

describe('a stored index', () => {
  it.each<[string, Partial<IndexState>, number, string]>([
    ['young', {}, 23, 'none'],
    ['old', {}, 25, 'all behind'],
    ['much too old', {}, 24 * 7, 'all before'],
    ['of the future', {}, -1, 'all before'],
    ['of a clock that is half a minute ahead', {}, -1 / 120, 'none'],
    ['of another schema', { sameSchema: false }, 1, 'changed before'],
    ['of another schema and old', { sameSchema: false }, 25, 'changed before'],
    ['with a table that could not be measured just now', { catalog: partly }, 0.1, 'none'],
    ['with a table that could not be measured', { catalog: partly }, 0.2, 'missing behind'],
    ['in which nothing could be measured', { catalog: harborOf(null) }, 0.2, 'missing before'],
    ['of a file, however old', { sameFile: true }, 24 * 70, 'none'],
    ['of a file that has changed', { sameFile: false }, 0.1, 'all before'],
  ])('%s', (_what, state, at, expected) => {
    const verdict = decideRefresh({ ...server, ...state }, ages, hours(at))
    expect(verdict.refresh === 'none' ? 'none' : `${verdict.refresh} ${verdict.when}`).toBe(expected)
  })
})

function harborOf(profile: null): Catalog {
  return {
    ...harborCatalog,
    tables: harborCatalog.tables.map(table => ({
      ...table,
      columns: table.columns.map(column => ({ ...column, profile })),
    })),
  }
}
