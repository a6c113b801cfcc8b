import type { Column } from '../../core/catalog.ts'
import type { Dialect } from '../../core/dialect.ts'
import { quoteIdentifier } from '../../sql/render/quote-identifier.ts'
import { chunkStatements } from './chunk-statements.ts'
import { asText } from './column-measures.ts'
import type { MeasuredColumn, MeasureOptions } from './measure-columns.ts'

/** Different values looked at of one column: enough to tell how they are written. */
const mostValues = 100

/** Of few values the most frequent ones are all there are. */
const fewValues = 10

/** Columns of longer texts hold prose, which is written like nothing. */
const longestMean = 60

const shownLength = 100

/**
 * Some different values of each column of texts that has many, drawn by a hash of the value: the same ones as long as
 * the values are the same, and from all over the table.
 */
export const sampleValues = async (
  measured: readonly MeasuredColumn[],
  options: MeasureOptions,
): Promise<ReadonlyMap<Column, readonly string[]>> => {
  const wanted = measured.filter(isWorthSampling).map(({ column }, index) => ({
    column,
    sql: sampleSql(column, index, options),
  }))
  const found = new Map<Column, string[]>()
  for (const chunk of chunkStatements(wanted, ({ sql }) => sql)) {
    for (const [number, value] of await options.ask(chunk.map(({ sql }) => sql).join(' UNION ALL '))) {
      const column = wanted[Number(number)]?.column
      if (column === undefined || typeof value !== 'string') continue
      const values = found.get(column) ?? []
      found.set(column, values)
      values.push(value.slice(0, shownLength))
    }
  }
  // UNION ALL promises no order.
  for (const values of found.values()) values.sort()
  return found
}

const isWorthSampling = ({ column, measures }: MeasuredColumn): boolean =>
  (measures.stored === 'texts' || (measures.stored === null && column.kind === 'text')) &&
  measures.distinct > fewValues &&
  measures.meanLength <= longestMean

const sampleSql = (column: Column, index: number, { from, dialect }: MeasureOptions): string => {
  const text = asText(column, dialect)
  const values = `SELECT DISTINCT ${text} AS v FROM ${from} WHERE ${quoteIdentifier(column.name, dialect)} IS NOT NULL`
  return `SELECT * FROM (SELECT ${index}, v FROM (${values}) AS d${index} ORDER BY ${scrambled('v', dialect)}, v LIMIT ${mostValues}) AS t${index}`
}

/** An order that has nothing to do with the values'. SQLite has no hash: length, middle and end are mixed. */
const scrambled = (value: string, dialect: Dialect): string =>
  dialect === 'sqlite'
    ? `(length(${value}) * 7919 + unicode(substr(${value}, -1)) * 104729 + unicode(substr(${value}, length(${value}) / 2 + 1, 1)) * 1299709) % 1009`
    : `md5(${value})`
