import { type DuckDBConnection, DuckDBListValue, DuckDBStructValue, type DuckDBValue } from '@duckdb/node-api'
import { quoteText } from './quote-text.ts'
import { raggedLineError } from './ragged-line.ts'

/** How the sniffer writes that there is none, of a quote for instance. */
const noCharacter = '(empty)'

const character = (value: DuckDBValue | undefined): string =>
  value === null || value === undefined || value === noCharacter ? '' : String(value)

const columnList = (columns: DuckDBValue | undefined): string => {
  const items = columns instanceof DuckDBListValue ? columns.items : []
  const pairs = items.flatMap(item => {
    if (!(item instanceof DuckDBStructValue)) return []
    const { name, type } = item.entries
    return [`${quoteText(String(name))}: ${quoteText(String(type))}`]
  })
  return `{${pairs.join(', ')}}`
}

/**
 * Finds out how a CSV file is written, and gives the call that reads it so: else each statement would find it out anew.
 * The sniffer has a text of that call too, but it leaves quotes in the file's and the columns' names as they are. Rejects
 * where the lines are uneven, because the sniffer would leave rows out.
 */
export const csvReader = async (
  connection: DuckDBConnection,
  path: string,
  sampledRows: number,
): Promise<string> => {
  const sniffed = await connection.runAndReadAll(
    `select Delimiter, Quote, Escape, NewLineDelimiter, Comment, SkipRows, HasHeader, Columns, DateFormat, TimestampFormat
     from sniff_csv(${quoteText(path)}, sample_size = ${sampledRows})`,
  )
  const [delimiter, quote, escaping, newLine, comment, skipped, header, columns, dates, moments] =
    sniffed.getRows()[0] ?? []
  const ragged = await raggedLineError(path, {
    delimiter: character(delimiter),
    columns: columns instanceof DuckDBListValue ? columns.items.length : 0,
    skipped: Number(skipped),
  })
  if (ragged !== null)
    throw new Error(
      `its lines have different numbers of fields: line ${ragged.line} has ${ragged.fields}, and those above it have ${ragged.expected}`,
    )
  const parameters = [
    'auto_detect = false',
    `delim = ${quoteText(character(delimiter))}`,
    `quote = ${quoteText(character(quote))}`,
    `escape = ${quoteText(character(escaping))}`,
    ...(character(newLine) === '' ? [] : [`new_line = ${quoteText(character(newLine))}`]),
    `comment = ${quoteText(character(comment))}`,
    `skip = ${Number(skipped)}`,
    `header = ${header === true}`,
    `columns = ${columnList(columns)}`,
    ...(character(dates) === '' ? [] : [`dateformat = ${quoteText(character(dates))}`]),
    ...(character(moments) === '' ? [] : [`timestampformat = ${quoteText(character(moments))}`]),
  ]
  return `from read_csv(${quoteText(path)}, ${parameters.join(', ')})`
}
