import type { Catalog } from '../../core/catalog.ts'
import type { Dialect } from '../../core/dialect.ts'
import { type Log, silentLog } from '../../core/log.ts'
import { quoteIdentifier } from '../../sql/render/quote-identifier.ts'
import { chunkStatements } from '../catalog/chunk-statements.ts'
import { asText, textLength } from '../catalog/column-measures.ts'
import type { Ask } from '../catalog/make-ask.ts'
import { nameTables } from '../catalog/name-tables.ts'
import { chooseSource, tableReference } from '../catalog/table-source.ts'
import type { ColumnValues } from './build-value-index.ts'
import { type ChosenColumn, chooseColumns } from './choose-columns.ts'

/** Values of one column: its most frequent ones where it has more. */
export const mostColumnValues = 50_000

/** Values of all columns together; columns with the fewest values are served first. */
export const mostValues = 1_000_000

/** Longer values are sentences. */
const longestValue = 120

/** Up to this many rows a table is read whole for its values; of larger ones a sample is read. */
const rowsReadWhole = 2_000_000

/** Columns with fewer different values than this are read together. */
const fewValues = 2_000

/**
 * Reads the values that go into the index, by guarded statements. A column that cannot be read is left out and
 * logged; only the signal inside `ask`, once it has fired, makes this reject.
 */
export const collectValues = async (
  catalog: Catalog,
  { ask, log = silentLog, signal }: { readonly ask: Ask; readonly log?: Log; readonly signal?: AbortSignal },
): Promise<readonly ColumnValues[]> => {
  const { dialect } = catalog
  const found = new Map<ChosenColumn, string[]>()
  const chosen = chooseColumns(catalog)
  const reads = await planReads(chosen, { dialect, ask, log, ...(signal && { signal }) })
  let left = mostValues
  for (const statement of reads) {
    if (left <= 0) {
      log.warn(
        { values: mostValues },
        'The value index is full; the columns with the most values are left out.',
      )
      break
    }
    try {
      for (const [number, value] of await ask(statement.sql)) {
        const column = chosen[Number(number)]
        if (column === undefined || value === null || value === undefined || left <= 0) continue
        const values = found.get(column) ?? []
        found.set(column, values)
        values.push(String(value))
        left -= 1
      }
    } catch (error) {
      if (signal?.aborted) throw error
      log.warn({ columns: statement.columns, error }, 'Values could not be read for the value index.')
    }
  }
  const names = nameTables(catalog)
  return [...found].map(([{ table, column }, values]) => ({
    table: names.get(table) ?? table.name,
    column: column.name,
    values: [...new Set(values)].sort(),
  }))
}

/** One statement, and the columns it reads, for the log. */
interface Read {
  readonly sql: string
  readonly columns: readonly string[]
}

/** Columns with few values share statements; a column with many has one of its own. */
const planReads = async (
  chosen: readonly ChosenColumn[],
  options: { readonly dialect: Dialect; readonly ask: Ask; readonly log: Log; readonly signal?: AbortSignal },
): Promise<readonly Read[]> => {
  const parts: { readonly sql: string; readonly name: string; readonly isSmall: boolean }[] = []
  for (const [number, { table, column }] of chosen.entries()) {
    const name = `${table.name}.${column.name}`
    try {
      const isHuge = (table.rowCount ?? Number.POSITIVE_INFINITY) > rowsReadWhole
      const from = isHuge ? (await chooseSource(table, options)).from : tableReference(table, options.dialect)
      const distinct = column.profile?.distinctCount ?? 0
      parts.push({
        name,
        isSmall: distinct <= fewValues,
        sql: readSql(number, { table, column }, { from, dialect: options.dialect }),
      })
    } catch (error) {
      if (options.signal?.aborted) throw error
      options.log.warn({ columns: [name], error }, 'Values could not be read for the value index.')
    }
  }
  const together = chunkStatements(
    parts.filter(part => part.isSmall),
    ({ sql }) => sql,
  )
  return [...together, ...parts.filter(part => !part.isSmall).map(part => [part])].map(group => ({
    sql: group.map(({ sql }) => sql).join(' UNION ALL '),
    columns: group.map(({ name }) => name),
  }))
}

const readSql = (
  number: number,
  { column }: ChosenColumn,
  { from, dialect }: { readonly from: string; readonly dialect: Dialect },
): string => {
  const name = quoteIdentifier(column.name, dialect)
  const text = asText(column, dialect)
  const wanted = `FROM ${from} WHERE ${name} IS NOT NULL AND ${textLength(text, dialect)} <= ${longestValue}`
  if ((column.profile?.distinctCount ?? 0) <= fewValues) return `SELECT DISTINCT ${number}, ${text} ${wanted}`
  return `SELECT ${number}, ${text} ${wanted} GROUP BY 2 ORDER BY count(*) DESC, 2 LIMIT ${mostColumnValues}`
}
