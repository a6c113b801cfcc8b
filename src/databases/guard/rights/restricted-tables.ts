import type { ColumnMask, DataRights } from '../../../domain/access/data-rights.ts'
import type { Catalog, Column, Table } from '../../../domain/catalog.ts'
import { QuerentError } from '../../../domain/errors.ts'
import { sqlScopes } from '../../../sql/analyze/sql-scopes.ts'
import { unaccountedToken } from '../../../sql/analyze/unread-token.ts'
import { databaseDialect } from '../../../sql/dialects.ts'
import { maxRenderedLength, parseSql } from '../../../sql/parse/parse-sql.ts'
import type { SqlTree } from '../../../sql/parse/sql-tree.ts'
import { fullName, quoteIdentifier } from '../../../sql/render/quote.ts'
import { matchesColumn, matchesTable } from '../scope/scoped-tables.ts'
import { closedTables } from './closed-tables.ts'
import { hashKeyMarks, namesHashKey } from './hash-key.ts'
import { type ColumnForm, maskedColumns } from './masked-columns.ts'

/** A table of which a person sees some rows, or values in another form. */
export interface RestrictedTable {
  readonly table: Table
  /**
   * A query for what they see of it, with all columns by name. It names the table with its schema, so no query of WITH
   * can stand in for it.
   */
  readonly query: string
  readonly masks: ReadonlyMap<Column, ColumnMask>
  /** Columns that are not in the query, because they are made from masked ones. */
  readonly hidden: ReadonlySet<Column>
}

/** What rights restrict in a catalog. */
export interface RestrictedTables {
  readonly tables: readonly RestrictedTable[]
  /** Tables and views that may show what is kept of a restricted one, and have no rules of their own for it. */
  readonly closed: ReadonlySet<Table>
}

/**
 * Finds what the row rules and masks of rights restrict. Throws `QuerentError` if a rule matches nothing or is no
 * condition: a rule left out would open its table.
 */
export const findRestrictedTables = (catalog: Catalog, rights: DataRights): RestrictedTables => {
  const { dialect } = catalog
  const fail = (what: string, why: string): never => {
    throw new QuerentError(
      'bad-configuration',
      `${what} of the group “${rights.group}” ${why} Correct it under \`access.groups\` in querent.yml.`,
    )
  }
  for (const { table } of rights.rowRules)
    if (!catalog.tables.some(one => matchesTable(table, one, dialect)))
      fail(`The row rule for ${table}`, 'matches no table of this database.')
  for (const { column } of rights.columnMasks)
    if (!catalog.tables.some(table => table.columns.some(one => matchesColumn(column, table, one, dialect))))
      fail(`The mask for ${column}`, 'matches no column of this database.')

  const masked = maskedColumns(catalog, rights)
  const tables = catalog.tables.flatMap((table): RestrictedTable[] => {
    const rules = rights.rowRules.filter(rule => matchesTable(rule.table, table, dialect))
    const forms = masked.get(table) ?? new Map<Column, ColumnForm>()
    if (rules.length + forms.size === 0) return []
    const { masks, hidden } = splitForms(forms)
    for (const [column, mask] of masks)
      if (mask.mask === 'bucket' && column.kind !== 'integer' && column.kind !== 'number')
        fail(`The mask for ${mask.column}`, `needs a number, and ${table.name}.${column.name} is none.`)
    const plain = visibleRows(
      table,
      { masks, hidden },
      rules.map(rule => rule.condition),
      catalog,
    )
    const parsed = parseSql(plain, dialect, maxRenderedLength)
    const isOneQuery =
      parsed.ok && parsed.tree.statements.length === 1 && unaccountedToken(parsed.tree) === null
    if (!isOneQuery || rules.some(({ condition }) => !isOneExpression(condition, catalog)))
      fail(`The row rule for ${table.name}`, 'is not one SQL condition that can be read.')
    // A query of WITH could stand in for a name without a schema, and rules would depend on one another.
    const bare = parsed.ok ? tableNamedBare(parsed.tree) : null
    if (bare !== null)
      fail(`The row rule for ${table.name}`, `reads ${bare}: write that table with its schema.`)
    return [{ table, query: plain, masks, hidden }]
  })
  const kept = new Map(
    tables.map(({ table, masks, hidden }) => [
      table,
      {
        rows: rights.rowRules.some(rule => matchesTable(rule.table, table, dialect)),
        values: masks.size + hidden.size > 0,
      },
    ]),
  )
  const closed = closedTables(catalog, rights, kept)
  return { tables: tables.filter(({ table }) => !closed.has(table)), closed }
}

const splitForms = (forms: ReadonlyMap<Column, ColumnForm>): Pick<RestrictedTable, 'masks' | 'hidden'> => {
  const masks = new Map<Column, ColumnMask>()
  const hidden = new Set<Column>()
  for (const [column, form] of forms)
    if (form.mask === 'none') hidden.add(column)
    else masks.set(column, form)
  return { masks, hidden }
}

const tableNamedBare = (tree: SqlTree): string | null =>
  sqlScopes(tree)
    .flatMap(scope => scope.sources)
    .find(({ kind, schema, name }) => kind === 'table' && schema === null && name !== null)?.name ?? null

/** A comment or a bracket of its own could end the brackets around a condition. */
const isOneExpression = (condition: string, { dialect }: Catalog): boolean => {
  const parsed = parseSql(`SELECT (${condition}\n) AS holds`, dialect)
  if (!parsed.ok || parsed.tree.comments.length > 0 || namesHashKey(condition)) return false
  const { tokens } = parsed.tree
  let depth = 0
  for (const [at, { text }] of tokens.entries()) {
    depth += text === '(' ? 1 : text === ')' ? -1 : 0
    if (text === ';') return false
    // The bracket around the condition closes before `AS holds`, and nowhere else.
    if (depth === 0 && text === ')') return at === tokens.length - 3
  }
  return false
}

const visibleRows = (
  table: Table,
  { masks, hidden }: Pick<RestrictedTable, 'masks' | 'hidden'>,
  conditions: readonly string[],
  { dialect }: Catalog,
): string => {
  const { rights } = databaseDialect(dialect)
  const write = (column: Column): string => {
    const name = quoteIdentifier(column.name, dialect)
    const mask = masks.get(column)
    return mask === undefined ? name : `${masked(name, mask, column)} AS ${name}`
  }
  const masked = (value: string, mask: ColumnMask, { kind, type }: Column): string => {
    switch (mask.mask) {
      case 'hash':
        return rights.hash(value, hashKeyMarks)
      case 'last-four':
        return rights.lastFour(value, kind === 'text')
      case 'bucket':
        return rights.bucket(value, mask.width, type)
      default: {
        const never: never = mask
        return never
      }
    }
  }
  const list = table.columns
    .filter(column => !hidden.has(column))
    .map(write)
    .join(', ')
  const where = conditions.map(condition => `(${condition}\n)`).join(' AND ')
  return `SELECT ${list} FROM ${fullName(table, dialect)}${where === '' ? '' : ` WHERE ${where}`} ${rights.fence}`
}
