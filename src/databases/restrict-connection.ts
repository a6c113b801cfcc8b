import type { HashKey } from '../domain/access/data-rights.ts'
import { type DataRights, plainSession } from '../domain/access/data-rights.ts'
import { type Catalog, type ForeignKey, nameTables } from '../domain/catalog.ts'
import { type Connector, isUnrestrictedScope, type ReadScope } from '../domain/database.ts'
import { QuerentError, SqlError } from '../domain/errors.ts'
import type { Guard, GuardedSql } from '../domain/sql.ts'
import { databaseDialect } from '../sql/dialects.ts'
import type { Connected } from './connect.ts'
import { type RenderedStatement, renderStatement } from './guard/names/render-statement.ts'
import { makeTableViews, type TableViews } from './guard/names/table-views.ts'
import { namesHashKey } from './guard/rights/hash-key.ts'
import type { RestrictedTables } from './guard/rights/restricted-tables.ts'
import { hideLabels, withoutLabels } from './guard/scope/type-labels.ts'

/** What a person may see: the lists of the database, and their own rights where there are any. */
interface Seen {
  readonly scope: ReadScope
  readonly rights: DataRights | null
  /** The key of masks that hash; null where no rights have masks. */
  readonly hashKey: HashKey | null
}

/**
 * The same connection for one person: every statement is rendered so that it sees only the tables, columns, rows and
 * values of the lists and rights, and runs with their role and session variables. This is the only way from a view to the
 * database. What measures sees only the rows of the rights too.
 */
export const restrictConnection = (connection: Connected, seen: Seen): RestrictedConnection => {
  // A mask may become a hash where it meets another.
  if (seen.rights !== null && seen.rights.columnMasks.length > 0 && seen.hashKey === null)
    throw new Error('A database with masks was opened without a key for hashes.')
  const current: CurrentViews = { views: null }
  const render = makeRender(current)
  const restrict = (connector: Connector, isMeasuring: boolean): Connector =>
    restrictConnector(connector, seen, current, isRendered(seen, isMeasuring) ? render : null)
  return {
    connection: {
      ...connection,
      ...restrict(connection, false),
      measuring: restrict(connection.measuring, true),
    },
    wholeCatalog: () => current.views?.catalog ?? null,
    guard: guards => (isRendered(seen, false) ? makeRenderedGuard(guards, render) : guards.lists),
  }
}

/** A connection for one person, and the guard that goes with it: it also refuses what could not be rendered. */
interface RestrictedConnection {
  readonly connection: Connected
  /** The catalog as it was read last, with what the rights leave out; null before that. */
  readonly wholeCatalog: () => Catalog | null
  readonly guard: (guards: Guards) => Guard
}

/** The guard of everything, and with the lists of the database. */
interface Guards {
  readonly plain: Guard
  readonly lists: Guard
}

const isRendered = ({ scope, rights }: Seen, isMeasuring: boolean): boolean =>
  (rights !== null && rights.rowRules.length + rights.columnMasks.length > 0) ||
  (!isMeasuring && !isUnrestrictedScope(scope))

/** Renders a statement once, for the guard and for the run. */
type Render = (sql: GuardedSql) => RenderedStatement

const makeRender = (current: CurrentViews): Render => {
  const known = new WeakMap<
    GuardedSql,
    { readonly views: TableViews; readonly rendered: RenderedStatement }
  >()
  return sql => {
    const { views } = current
    if (views === null)
      return { verdict: 'refuse', reason: 'the tables of the database are not known yet', isClash: false }
    if (namesHashKey(sql.sql))
      return { verdict: 'refuse', reason: 'it has a text that stands for the key of masks', isClash: false }
    const before = known.get(sql)
    if (before?.views === views) return before.rendered
    const rendered = renderStatement(sql, views)
    known.set(sql, { views, rendered })
    return rendered
  }
}

/**
 * What the lists say of a column comes after what is said of a query of WITH: else a statement would be refused in one way
 * for a hidden column and in another for one that is not there.
 */
const makeRenderedGuard =
  ({ plain, lists }: Guards, render: Render): Guard =>
  (sql, dialect) => {
    const verdict = lists(sql, dialect)
    const allowed = verdict.verdict === 'allow' ? verdict : plain(sql, dialect)
    if (allowed.verdict === 'refuse' || dialect !== allowed.guarded.dialect) return verdict
    const rendered = render(allowed.guarded)
    return rendered.verdict === 'refuse' && (verdict.verdict === 'allow' || rendered.isClash)
      ? { verdict: 'refuse', reason: rendered.reason }
      : verdict
  }

/** What may be seen of the tables as they were read last. */
interface CurrentViews {
  views: TableViews | null
}

const restrictConnector = (
  connector: Connector,
  { scope, rights, hashKey }: Seen,
  current: CurrentViews,
  render: Render | null,
): Connector => {
  const session = rights?.session ?? plainSession
  const isPlain = session.role === null && Object.keys(session.variables).length === 0
  const { label, hasSessions } = databaseDialect(connector.dialect)
  if (!isPlain && !hasSessions)
    throw new QuerentError(
      'bad-configuration',
      `${label} has no roles and no session variables, which the group “${rights?.group}” sets. Use \`rows\` and \`masks\` instead.`,
    )
  const own = { session, ...(hashKey && { hashKey }) }
  const rendered = (sql: GuardedSql): Extract<RenderedStatement, { verdict: 'allow' }> => {
    const result = render?.(sql) ?? { verdict: 'allow', guarded: sql, inOwnWords: text => text }
    if (result.verdict === 'refuse') throw new SqlError('refused', result.reason)
    return result
  }
  return {
    ...connector,
    introspect: async (options = {}) => {
      const catalog = await connector.introspect({ ...options, session })
      current.views = makeTableViews(catalog, { scope, rights })
      return visibleCatalog(catalog, current.views.restricted, isPlain)
    },
    explain: async (sql, options) => {
      const { guarded, inOwnWords } = rendered(sql)
      return inOwnWords(await connector.explain(guarded, { ...options, ...own }))
    },
    run: async (sql, options) => {
      const { guarded, inOwnWords } = rendered(sql)
      const result = await connector.run(guarded, { ...options, ...own })
      const columns = result.columns.map(column => ({ ...column, name: inOwnWords(column.name) }))
      return { ...result, columns }
    },
  }
}

/**
 * The catalog without tables and columns that would show what is hidden, and without the server's own counts, which are of
 * all rows.
 */
const visibleCatalog = (catalog: Catalog, restricted: RestrictedTables, isPlain: boolean): Catalog => {
  const own = new Map(restricted.tables.map(one => [one.table, one]))
  const open = catalog.tables.filter(table => !restricted.closed.has(table))
  const names = nameTables(catalog)
  const masked = new Set(
    restricted.tables.flatMap(({ table, masks, hidden }) =>
      [...masks.keys(), ...hidden].map(({ name }) => JSON.stringify([names.get(table), name])),
    ),
  )
  const isSeen = ({ table, columns }: ForeignKey['from']): boolean =>
    open.some(one => names.get(one) === table) &&
    !columns.some(name => masked.has(JSON.stringify([table, name])))
  const visible = {
    ...catalog,
    tables: open.map(table => {
      const restriction = own.get(table)
      if (restriction === undefined) return isPlain ? table : { ...table, rowCount: null }
      const columns = table.columns
        .filter(column => !restriction.hidden.has(column))
        .map(column => {
          const mask = restriction.masks.get(column)
          return mask === undefined || mask.mask === 'bucket'
            ? { ...column, type: withoutLabels(column.type) }
            : { ...column, ...maskedType }
        })
      const isWhole = table.primaryKey.every(name => columns.some(column => column.name === name))
      return { ...table, rowCount: null, columns, primaryKey: isWhole ? table.primaryKey : [] }
    }),
    foreignKeys: catalog.foreignKeys.filter(({ from, to }) => isSeen(from) && isSeen(to)),
  }
  return own.size === 0 ? visible : hideLabels(visible, () => false)
}

/** Hashes and last characters are text, whatever the column holds. */
const maskedType = { type: 'text', kind: 'text' } as const
