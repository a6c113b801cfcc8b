import type { Catalog, Column } from '../../../domain/catalog.ts'
import type { Dialect } from '../../../domain/sql.ts'
import { functionCalls } from '../../../sql/analyze/function-calls.ts'
import { namedTypes } from '../../../sql/analyze/named-types.ts'
import { databaseDialect } from '../../../sql/dialects.ts'
import type { SqlTree } from '../../../sql/parse/sql-tree.ts'
import { scopeMessages } from './visible-sources.ts'

/**
 * The labels of an enumeration, with the word before them. DuckDB makes such types from data too: `CREATE TYPE city AS
 * ENUM (SELECT city FROM people)`.
 */
const spelledLabels = /\b(enum(?:8|16)?|set)\s*\((?:'(?:[^'\\]|''|\\.)*'|[^'()])*\)/gis

/** What is left of one that could not be read to its end. */
const unreadLabels = /\b(enum(?:8|16)?|set)\s*\(.*/is

/** The text of a type without the labels of its enumerations: `ENUM('a', 'b')[]` becomes `ENUM[]`. */
export const withoutLabels = (type: string): string =>
  type.replace(spelledLabels, '$1').replace(unreadLabels, '$1')

/** Whether the labels of one type can hold values of any table. */
const labelsAreData = (dialect: Dialect): boolean =>
  databaseDialect(dialect).scope.labels?.madeFromData === true

/** A catalog in which no type spells labels of the columns that `isSecret`; nor any other, if labels can be data. */
export const hideLabels = (catalog: Catalog, isSecret: (column: Column) => boolean): Catalog => {
  const all = labelsAreData(catalog.dialect)
  return {
    ...catalog,
    tables: catalog.tables.map(table => ({
      ...table,
      columns: table.columns.map(column =>
        all || isSecret(column) ? { ...column, type: withoutLabels(column.type) } : column,
      ),
    })),
  }
}

/**
 * Makes what tells why a statement may not be run where something of the database is hidden: it asks a type for its
 * labels, or names a type that somebody made in the database. Null if it does neither, or if the database has no labels.
 */
export const makeLabelsRefusal = ({
  dialect,
  tables,
  types = [],
}: Catalog): ((tree: SqlTree) => string | null) => {
  const { labels } = databaseDialect(dialect).scope
  const hasLabels =
    types.length > 0 || tables.some(({ columns }) => columns.some(({ type }) => withoutLabels(type) !== type))
  if (labels === undefined || !hasLabels) return () => null
  const own = new Set(types.map(name => name.toLowerCase()))
  return tree => {
    const call = functionCalls(tree).find(({ name }) => labels.calls.has(name.toLowerCase()))
    if (call !== undefined) return scopeMessages.labels(call.name)
    const type = namedTypes(tree).find(({ name }) => own.has(name.toLowerCase()))
    if (type !== undefined) return scopeMessages.type(type.name)
    return own.size > 0 && pivotsByType(tree) ? scopeMessages.labels('PIVOT') : null
  }
}

/** `PIVOT (... FOR k IN mood)` makes a column for each label of the type mood. */
const pivotsByType = ({ tokens }: SqlTree): boolean =>
  tokens.some(({ kind, value }) => kind === 'word' && value === 'pivot') &&
  tokens.some(({ kind, value }, at) => kind === 'word' && value === 'in' && tokens[at + 1]?.text !== '(')
