import type { Dialect } from '../../core/dialect.ts'
import { quoteIdentifier } from '../../sql/render/quote-identifier.ts'
import { chunkStatements } from '../catalog/chunk-statements.ts'
import { asText, textLength } from '../catalog/column-measures.ts'
import type { RunInternalQuery } from '../catalog/make-ask.ts'
import { chooseSource, tableReference } from '../catalog/table-source.ts'
import type { IndexedColumnChoice } from './choose-columns.ts'

/** Longer values are sentences. */
const longestValue = 120

/** Up to this many rows a table is read whole for its values; of larger ones a sample is read. */
const rowsReadWhole = 2_000_000

/** Columns with fewer different values than this are read together. */
const fewValues = 2_000

/** One statement, and the columns it reads, for the log. Its rows are a column's number and a value. */
export interface PlannedValueQuery {
  readonly sql: string
  readonly columns: readonly string[]
  /** The same with a statement for each column, where there are several. */
  readonly singly: readonly PlannedValueQuery[]
}

/** A column, its number in the rows of the statements, and how many of its values are wanted. */
export interface WantedColumn extends IndexedColumnChoice {
  readonly number: number
  readonly most: number
}

/** Columns with few values share statements; a column with many has one of its own. `onFailed` hears which were not to be read. */
export const planValueQueries = async (
  wanted: readonly WantedColumn[],
  options: {
    readonly dialect: Dialect
    readonly ask: RunInternalQuery
    readonly onFailed: (columns: readonly string[], error: unknown) => void
  },
): Promise<readonly PlannedValueQuery[]> => {
  const parts: { readonly sql: string; readonly name: string; readonly isSmall: boolean }[] = []
  for (const one of wanted) {
    const { table, column, most } = one
    const name = `${table.name}.${column.name}`
    try {
      const isHuge = (table.rowCount ?? Number.POSITIVE_INFINITY) > rowsReadWhole
      const from = isHuge ? (await chooseSource(table, options)).from : tableReference(table, options.dialect)
      const isSmall = (column.profile?.distinctCount ?? 0) <= Math.min(fewValues, most)
      parts.push({ name, isSmall, sql: readSql(one, { from, dialect: options.dialect, isSmall }) })
    } catch (error) {
      options.onFailed([name], error)
    }
  }
  const together = chunkStatements(
    parts.filter(part => part.isSmall),
    ({ sql }) => sql,
  )
  return [...together, ...parts.filter(part => !part.isSmall).map(part => [part])].map(group => ({
    sql: group.map(({ sql }) => sql).join(' UNION ALL '),
    columns: group.map(({ name }) => name),
    singly: group.length === 1 ? [] : group.map(({ sql, name }) => ({ sql, columns: [name], singly: [] })),
  }))
}

const readSql = (
  { number, column, most }: WantedColumn,
  { from, dialect, isSmall }: { readonly from: string; readonly dialect: Dialect; readonly isSmall: boolean },
): string => {
  const name = quoteIdentifier(column.name, dialect)
  const text = asText(column, dialect)
  const wanted = `FROM ${from} WHERE ${name} IS NOT NULL AND ${textLength(text, dialect)} <= ${longestValue}`
  if (isSmall) return `SELECT DISTINCT ${number}, ${text} ${wanted}`
  return `SELECT ${number}, ${text} ${wanted} GROUP BY 2 ORDER BY count(*) DESC, 2 LIMIT ${most}`
}
