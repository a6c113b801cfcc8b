import type { DataRights } from '../domain/access/data-rights.ts'
import { type Catalog, type ForeignKey, nameTables } from '../domain/catalog.ts'
import type { Connector } from '../domain/database.ts'
import { QuerentError, SqlError } from '../domain/errors.ts'
import type { GuardedSql } from '../domain/sql.ts'
import { databaseDialect } from '../sql/dialects.ts'
import type { Connected } from './connect.ts'
import { applyRights } from './guard/rights/apply-rights.ts'
import { findRestrictedTables, type RestrictedTables } from './guard/rights/restricted-tables.ts'

/**
 * The same connection for one person: every statement, those that measure included, sees only the rows and values of
 * the rights, and runs with their role and session variables. This is the only way from a view to the database.
 */
export const restrictConnection = (connection: Connected, rights: DataRights): Connected => {
  const current: CurrentCatalog = { seen: null }
  const restrict = (connector: Connector): Connector => restrictConnector(connector, rights, current)
  return { ...restrict(connection), measuring: restrict(connection.measuring) }
}

/** The catalog as it was read last, with what the rights restrict in it. */
interface CurrentCatalog {
  seen: { readonly catalog: Catalog; readonly restricted: RestrictedTables } | null
}

const restrictConnector = (connector: Connector, rights: DataRights, current: CurrentCatalog): Connector => {
  const { session } = rights
  const isPlain = session.role === null && Object.keys(session.variables).length === 0
  const { label, hasSessions } = databaseDialect(connector.dialect)
  if (!isPlain && !hasSessions)
    throw new QuerentError(
      'bad-configuration',
      `${label} has no roles and no session variables, which the group “${rights.group}” sets. Use \`rows\` and \`masks\` instead.`,
    )
  const rewrite = (sql: GuardedSql): GuardedSql => {
    if (rights.rowRules.length + rights.columnMasks.length === 0) return sql
    const { seen } = current
    if (seen === null) throw new SqlError('refused', 'The tables of the database are not known yet.')
    const applied = applyRights(sql, seen.restricted, seen.catalog)
    if (applied.verdict === 'refuse') throw new SqlError('refused', applied.reason)
    return applied.guarded
  }
  return {
    ...connector,
    introspect: async (options = {}) => {
      const catalog = await connector.introspect({ ...options, session })
      const restricted = findRestrictedTables(catalog, rights)
      current.seen = { catalog, restricted }
      return visibleCatalog(catalog, restricted, isPlain)
    },
    explain: async (sql, options) => connector.explain(rewrite(sql), { ...options, session }),
    run: async (sql, options) => connector.run(rewrite(sql), { ...options, session }),
  }
}

/** The catalog without tables that would show hidden rows, and without the server's own counts, which are of all rows. */
const visibleCatalog = (catalog: Catalog, restricted: RestrictedTables, isPlain: boolean): Catalog => {
  const own = new Map(restricted.tables.map(one => [one.table, one]))
  const open = catalog.tables.filter(table => !restricted.closed.has(table))
  const names = nameTables(catalog)
  const masked = new Set(
    restricted.tables.flatMap(({ table, masks }) =>
      [...masks.keys()].map(({ name }) => JSON.stringify([names.get(table), name])),
    ),
  )
  const isSeen = ({ table, columns }: ForeignKey['from']): boolean =>
    open.some(one => names.get(one) === table) &&
    !columns.some(name => masked.has(JSON.stringify([table, name])))
  return {
    ...catalog,
    tables: open.map(table => {
      const restriction = own.get(table)
      if (restriction === undefined) return isPlain ? table : { ...table, rowCount: null }
      const columns = table.columns.map(column => {
        const mask = restriction.masks.get(column)
        return mask === undefined || mask.mask === 'bucket' ? column : { ...column, ...maskedType }
      })
      return { ...table, rowCount: null, columns }
    }),
    foreignKeys: catalog.foreignKeys.filter(({ from, to }) => isSeen(from) && isSeen(to)),
  }
}

/** Hashes and last characters are text, whatever the column holds. */
const maskedType = { type: 'text', kind: 'text' } as const
