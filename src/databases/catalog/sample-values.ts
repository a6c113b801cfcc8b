import type { Column, Table } from '../../core/catalog.ts'
import { quoteIdentifier } from '../../sql/render/quote-identifier.ts'
import { chunkStatements } from './chunk-statements.ts'
import { asText } from './column-measures.ts'
import type { ProfileColumnsOptions, ProfiledColumn } from './measure-columns.ts'

/** Rows read for their texts: enough to tell how these are written. */
const maxSampledRows = 200

/** Of few values the most frequent ones are all there are. */
const fewSampledValues = 10

/** Columns of longer texts hold prose, which is written like nothing. */
const maxMeanLengthForSamples = 60

const sampleLength = 100

/**
 * Some different values of each column of texts that has many, sorted. They are of whole rows, so that one short
 * statement serves all columns of a table (the guard reads every character); rows are taken from all over the table
 * where a number is its key, and the same ones each time.
 */
export const sampleValues = async (
  table: Table,
  measured: readonly ProfiledColumn[],
  { from, dialect, ask }: ProfileColumnsOptions,
): Promise<ReadonlyMap<Column, readonly string[]>> => {
  const columns = measured.filter(isWorthSampling).map(({ column }) => column)
  const order = scatteredBy(table)
  const scattered = order === null ? '' : ` ORDER BY ${scatter(quoteIdentifier(order.name, dialect))}`
  const found = new Map<Column, readonly string[]>()
  for (const chunk of chunkStatements(columns, column => asText(column, dialect))) {
    const list = chunk.map(column => asText(column, dialect)).join(', ')
    const rows = await ask(`SELECT ${list} FROM ${from}${scattered} LIMIT ${maxSampledRows}`)
    chunk.forEach((column, at) => {
      const texts = rows.map(row => row[at]).filter(cell => typeof cell === 'string')
      found.set(column, [...new Set(texts.map(text => text.slice(0, sampleLength)))].sort())
    })
  }
  return found
}

const isWorthSampling = ({ column, measures }: ProfiledColumn): boolean =>
  (measures.stored === 'texts' || (measures.stored === null && column.kind === 'text')) &&
  measures.distinct > fewSampledValues &&
  measures.meanLength <= maxMeanLengthForSamples

/** The key that rows can be scattered by. */
const scatteredBy = ({ columns, primaryKey }: Table): Column | null =>
  primaryKey.length === 1
    ? (columns.find(({ name, kind }) => name === primaryKey[0] && kind === 'integer') ?? null)
    : null

/** Neighbours become strangers: both numbers are primes, and the product fits into 32 bits. */
const scatter = (key: string): string => `${key} % 10007 * 7919 % 10007, ${key}`
