import { beforeAll, describe, expect, it } from 'vitest'
import { profileCatalog } from '../../../src/databases/catalog/profile-catalog.ts'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { makeRunQuery } from '../../../src/databases/run-query.ts'
import type { Catalog, Column } from '../../../src/domain/catalog.ts'
import type { SkippedItem } from '../../../src/domain/database.ts'
import { wideLimits } from '../../helpers/run-on.ts'
import type { OpenedConnector } from './connector-subject.ts'

/** Profiles: small tables are measured here, others by the database. */
export const testMeasuring = ({ connector }: OpenedConnector): void => {
  describe('measuring', () => {
    const measure = (catalog: Catalog): Promise<Catalog> =>
      profileCatalog({
        catalog,
        run: makeRunQuery({ connector: connector(), limits: wideLimits }),
        guard: makeGuard(),
        onLeftOut: one => leftOut.push(one),
      })
    const leftOut: SkippedItem[] = []
    let here: Catalog
    let there: Catalog
    beforeAll(async () => {
      const catalog = await connector().introspect()
      // Nobody knows the size of a view.
      const withRows = (rowCount: number | null): Catalog => ({
        ...catalog,
        tables: catalog.tables.map(table => ({
          ...table,
          rowCount: table.type === 'view' ? null : rowCount,
        })),
      })
      here = await measure(withRows(0))
      // Of a table of unknown size the database measures.
      there = await measure(withRows(null))
    })

    it('finds the same of a small table that is read whole as the database does', () => {
      const shown = (catalog: Catalog) =>
        catalog.tables.map(table => ({ ...table, columns: table.columns.map(withoutLength) }))
      expect(leftOut).toEqual([])
      expect(shown(here)).toEqual(shown(there))
    })

    it('measures how long texts are', () => {
      const lengths = (catalog: Catalog) =>
        catalog.tables.flatMap(({ columns }) =>
          columns.flatMap(({ kind, profile }) => (kind === 'text' ? [profile?.meanLength] : [])),
        )
      expect(lengths(here)).toEqual(lengths(there))
      expect(lengths(here).some(length => length !== undefined && length > 0)).toBe(true)
    })
  })
}

/** Databases write numbers and moments as texts in ways of their own; nothing depends on how long those are. */
const withoutLength = (column: Column): Column =>
  column.profile === null || column.kind === 'text'
    ? column
    : { ...column, profile: { ...column.profile, meanLength: 0 } }
