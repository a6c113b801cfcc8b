import type { ParseDialect } from '../../domain/sql.ts'
import { databaseDialect, isDatabaseDialect } from '../dialects.ts'
import { parseSqlCached } from '../parse/parse-sql.ts'
import { readStatements } from '../parse/read-statements.ts'
import type { SqlTree } from '../parse/sql-tree.ts'
import type { ColumnUse, QueryScope, Source } from './query-scope.ts'
import { type MeansQuery, readScopes } from './read-scopes.ts'
import { unaccountedToken } from './unread-token.ts'

/** Every SELECT of a tree as a scope, outermost first. */
export const sqlScopes = (tree: SqlTree): readonly QueryScope[] =>
  readScopes(readStatements(tree), meansQueryIn(tree.dialect))

/** As the server compares names, where it is one that we can ask. */
const meansQueryIn = (dialect: ParseDialect): MeansQuery =>
  isDatabaseDialect(dialect)
    ? (query, name) => databaseDialect(dialect).names.same(query, name, 'query') === 'yes'
    : (query, name) => query === name

/** A column of a real table. `table` is null when the text alone does not say whose column it is. */
interface ColumnReference {
  readonly table: string | null
  readonly column: string
  /** In SQLite, `"x"` without a table is text when no column has that name. */
  readonly mayBeText: boolean
}

/**
 * Whose columns a use means. Empty for results of a subquery, a CTE or the SELECT list: what those are made of is
 * reported where they are made. A bare name goes to the only table of the nearest scope; a catalog can tell when
 * it is really a column from further out.
 */
export const resolveColumn = (use: ColumnUse, scope: QueryScope): readonly ColumnReference[] => {
  const { column, mayBeText } = use
  const of = (source: Source | null): ColumnReference => ({ table: source?.name ?? null, column, mayBeText })
  if (use.qualifier !== null) {
    const source = findSource(use.qualifier, scope)
    if (source === null) return [{ table: use.qualifier, column, mayBeText }]
    return source.kind === 'table' ? [of(source)] : []
  }
  const tables = scope.sources.filter(source => source.kind === 'table')
  if (column === '*') return tables.map(of)
  const wholeRow = scope.sources.find(source => isKnownAs(source, column))
  if (wholeRow !== undefined)
    return wholeRow.kind === 'table' ? [of(wholeRow), { ...of(wholeRow), column: '*' }] : []
  if (use.mayBeOutput && scope.outputs.has(column.toLowerCase())) return []
  if (scope.sources.length === 0) return scope.parent === null ? [of(null)] : resolveColumn(use, scope.parent)
  if (tables.length === 0) return []
  return [of(scope.sources.length === 1 ? (tables[0] as Source) : null)]
}

const findSource = (qualifier: string, scope: QueryScope): Source | null =>
  scope.sources.find(source => isKnownAs(source, qualifier)) ??
  (scope.parent === null ? null : findSource(qualifier, scope.parent))

/** An alias hides the table's own name. */
const isKnownAs = (source: Source, name: string): boolean =>
  (source.alias ?? source.name)?.toLowerCase() === name.toLowerCase()

/** A table that is really read, as it is named in the text. */
export interface TableReference {
  /** The database or catalog before the schema, where the text names it. */
  readonly catalog: string | null
  readonly schema: string | null
  readonly name: string
}

export interface SqlReferences {
  readonly tables: readonly TableReference[]
  /** `column` is `*` where all columns of a table are read, be it by a star or by naming the row. */
  readonly columns: readonly ColumnReference[]
}

/**
 * The tables and columns that a statement reads, resolved through CTEs, aliases and subqueries, each once, in the
 * order of the text. Null when it cannot be parsed to the last word.
 */
export const sqlReferences = (sql: string, dialect: ParseDialect): SqlReferences | null => {
  const parsed = parseSqlCached(sql, dialect)
  if (!parsed.ok || unaccountedToken(parsed.tree) !== null) return null
  const tables = new Map<string, TableReference>()
  const columns = new Map<string, ColumnReference>()
  for (const scope of sqlScopes(parsed.tree)) {
    for (const { kind, catalog, schema, name } of scope.sources)
      if (kind === 'table' && name !== null) keep(tables, [catalog, schema, name], { catalog, schema, name })
    for (const use of scope.columns)
      for (const column of resolveColumn(use, scope))
        keep(columns, [column.table, column.column, column.mayBeText ? '"' : ''], column)
  }
  return { tables: [...tables.values()], columns: [...columns.values()] }
}

const keep = <T>(map: Map<string, T>, parts: readonly (string | null)[], value: T): void => {
  const key = JSON.stringify(parts).toLowerCase()
  if (!map.has(key)) map.set(key, value)
}

/** A literal of a statement. `column` is what it is compared to, null where that does not stand beside it. */
export interface SqlLiteral {
  /** Text without its quotes; numbers as written, with their sign. */
  readonly value: string
  readonly kind: 'text' | 'number'
  readonly column: ColumnReference | null
  /** SQLite's `"x"`: text only if there is no such column. */
  readonly mayBeColumn: boolean
}

/** Every text and number literal, LIMIT included, in the order of the scopes. Null when it cannot be parsed. */
export const sqlLiterals = (sql: string, dialect: ParseDialect): readonly SqlLiteral[] | null => {
  const parsed = parseSqlCached(sql, dialect)
  if (!parsed.ok) return null
  return sqlScopes(parsed.tree).flatMap(scope =>
    scope.literals.map(({ value, kind, comparedTo, mayBeColumn }) => ({
      value,
      kind,
      column: comparedTo === null ? null : (resolveColumn(comparedTo, scope)[0] ?? null),
      mayBeColumn,
    })),
  )
}
