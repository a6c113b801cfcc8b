import type { DataRights } from '../domain/access/data-rights.ts'
import type { Catalog, Table } from '../domain/catalog.ts'
import type { Connector } from '../domain/database.ts'
import { QuerentError, SqlError } from '../domain/errors.ts'
import type { GuardedSql } from '../domain/sql.ts'
import { databaseDialect } from '../sql/dialects.ts'
import type { Connected } from './connect.ts'
import { matchesTable } from './guard/scope/scoped-tables.ts'

/**
 * The same connection for one person: every statement, those that measure included, sees only the rows and values of
 * the rights, and runs with their role and session variables. This is the only way from a view to the database.
 */
export const restrictConnection = (connection: Connected, rights: DataRights): Connected => {
  const current: { catalog: Catalog | null } = { catalog: null }
  const restrict = (connector: Connector): Connector => restrictConnector(connector, rights, current)
  return { ...restrict(connection), measuring: restrict(connection.measuring) }
}

/** Until row rules are applied, a statement under them is refused. */
const applyRights = (
  _sql: GuardedSql,
  _rights: DataRights,
  _catalog: Catalog,
):
  | { readonly verdict: 'allow'; readonly guarded: GuardedSql }
  | { readonly verdict: 'refuse'; readonly reason: string } => ({
  verdict: 'refuse',
  reason: 'Rules about rows are not applied yet.',
})

const restrictConnector = (
  connector: Connector,
  rights: DataRights,
  current: { catalog: Catalog | null },
): Connector => {
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
    const { catalog } = current
    if (catalog === null) throw new SqlError('refused', 'The tables of the database are not known yet.')
    const applied = applyRights(sql, rights, catalog)
    if (applied.verdict === 'refuse') throw new SqlError('refused', applied.reason)
    return applied.guarded
  }
  return {
    ...connector,
    introspect: async (options = {}) => {
      const catalog = await connector.introspect({ ...options, session })
      current.catalog = catalog
      // The server's own counts are of all rows.
      const isCounted = (table: Table): boolean =>
        isPlain && !rights.rowRules.some(rule => matchesTable(rule.table, table, catalog.dialect))
      const tables = catalog.tables.map(table => (isCounted(table) ? table : { ...table, rowCount: null }))
      return { ...catalog, tables }
    },
    explain: async (sql, options) => connector.explain(rewrite(sql), { ...options, session }),
    run: async (sql, options) => connector.run(rewrite(sql), { ...options, session }),
  }
}
