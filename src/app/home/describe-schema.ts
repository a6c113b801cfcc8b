import type { CheckAccess } from '../../core/access.ts'
import type { Table } from '../../core/catalog.ts'
import type { Database } from '../../core/database.ts'
import type { DescribeSchema } from '../../core/home.ts'

/** Makes the use case: what the database of a place has, for those who may ask there. It shows no values. */
export const makeDescribeSchema =
  (deps: {
    readonly mayAsk: CheckAccess
    readonly openDatabase: (view: string) => Promise<Pick<Database, 'name' | 'catalog'>>
  }): DescribeSchema =>
  async ({ person, place, table: wanted }) => {
    const access = await deps.mayAsk({ person, place })
    if (access.status !== 'allowed')
      return { status: 'not-allowed', reason: access.reason, nextStep: access.nextStep }
    const { name: database, catalog } = await deps.openDatabase(access.database)
    const tables = [...catalog.tables].sort((a, b) => qualifiedName(a).localeCompare(qualifiedName(b)))
    if (wanted === null) {
      return {
        status: 'tables',
        database,
        tables: tables.map(table => ({
          name: qualifiedName(table),
          rows: table.rowCount,
          comment: table.comment,
        })),
      }
    }
    const same = (name: string): boolean => name.toLowerCase() === wanted.toLowerCase()
    const found = tables.find(table => same(qualifiedName(table))) ?? tables.find(table => same(table.name))
    if (!found) return { status: 'no-such-table', database, table: wanted, tables: tables.map(qualifiedName) }
    return {
      status: 'table',
      database,
      name: qualifiedName(found),
      rows: found.rowCount,
      comment: found.comment,
      columns: found.columns.map(({ name, type, comment, masked }) => ({
        name,
        type,
        comment,
        masked: masked === true,
      })),
    }
  }

const qualifiedName = ({ schema, name }: Pick<Table, 'schema' | 'name'>): string =>
  schema === null ? name : `${schema}.${name}`
