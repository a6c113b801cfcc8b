import { beforeAll, describe, expect, it } from 'vitest'
import type { Catalog } from '../../../src/domain/catalog.ts'
import { forgeGuardedSql } from '../../helpers/forge-guarded-sql.ts'
import { wideLimits } from '../../helpers/run-on.ts'
import { sqlErrorOf } from '../../helpers/sql-error-of.ts'
import { type OpenedConnector, storedName } from './connector-subject.ts'
import { harborCatalog } from './harbor.ts'

const describeKey = (key: Catalog['foreignKeys'][number]): string =>
  `${key.from.table}(${key.from.columns.join(', ')}) -> ${key.to.table}(${key.to.columns.join(', ')})`

/** Plans and catalogs. */
export const testIntrospection = ({ subject, connector }: OpenedConnector): void => {
  const stored = (name: string): string => storedName(subject, name)
  const { declares = { keys: true, nullability: true, textType: 'text', kinds: {} } } = subject

  describe('planning', () => {
    it('explains a statement without running it', async () => {
      const plan = await connector().explain(
        forgeGuardedSql('select name from ports where id = 1', connector().dialect),
        wideLimits,
      )
      expect(plan).toMatch(/ports/i)
    })

    it('says what is wrong with one that cannot be planned', async () => {
      const error = await sqlErrorOf(
        connector().explain(forgeGuardedSql('select missing from ports', connector().dialect), wideLimits),
      )
      expect(error.errorClass).toBe('unknown-column')
    })
  })

  describe('introspection', () => {
    let catalog: Catalog
    beforeAll(async () => {
      catalog = await connector().introspect()
    })

    it('lists tables and views with their columns and primary keys', () => {
      const found = Object.fromEntries(
        catalog.tables
          .filter(table => Object.keys(harborCatalog.tables).some(name => stored(name) === table.name))
          .map(table => [
            table.name,
            {
              type: table.type,
              primaryKey: table.primaryKey,
              columns: table.columns.map(column => column.name),
            },
          ]),
      )
      const expected = Object.entries(harborCatalog.tables).map(([name, table]) => [
        stored(name),
        {
          ...table,
          primaryKey: declares.keys ? table.primaryKey.map(stored) : [],
          columns: table.columns.map(stored),
        },
      ])
      expect(found).toEqual(Object.fromEntries(expected))
      expect(catalog.dialect).toBe(connector().dialect)
      expect(catalog.tables.every(table => table.schema === null)).toBe(true)
    })

    it('gives columns their declared type, kind and nullability, and no profile', () => {
      const columns = Object.fromEntries(
        catalog.tables.flatMap(table =>
          table.columns.map(column => [`${table.name}.${column.name}`, column] as const),
        ),
      )
      const kinds = Object.keys(harborCatalog.kinds).map(name => [name, columns[stored(name)]?.kind])
      expect(Object.fromEntries(kinds)).toEqual({ ...harborCatalog.kinds, ...declares.kinds })
      const nullable = Object.keys(harborCatalog.nullable).map(name => [
        name,
        columns[stored(name)]?.nullable,
      ])
      if (declares.nullability) expect(Object.fromEntries(nullable)).toEqual(harborCatalog.nullable)
      expect(columns[stored('ports.name')]?.type.toLowerCase()).toBe(declares.textType)
      expect(Object.values(columns).every(column => column.profile === null)).toBe(true)
    })

    it('lists foreign keys, those of several columns in matching order', () => {
      expect(catalog.foreignKeys.map(describeKey).sort()).toEqual(
        declares.keys ? harborCatalog.foreignKeys.map(stored) : [],
      )
      expect(catalog.foreignKeys.every(key => key.source === 'declared' && key.inclusion === null)).toBe(true)
    })

    it('has a fingerprint that stays as long as the schema does', async () => {
      expect(catalog.fingerprint).toMatch(/^[0-9a-f]{64}$/)
      expect((await connector().introspect()).fingerprint).toBe(catalog.fingerprint)
    })

    it('can be cancelled', async () => {
      const error = await sqlErrorOf(connector().introspect({ signal: AbortSignal.abort() }))
      expect(error.errorClass).toBe('cancelled')
    })
  })
}
