import { open } from 'node:fs/promises'
import { type DuckDBConnection, DuckDBListValue, DuckDBStructValue, type DuckDBValue } from '@duckdb/node-api'
import { quoteText } from './source.ts'

/** How the sniffer writes an option without a value, such as no quote. */
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
 * Detects the format of a CSV file, and returns the call that reads it. Otherwise each statement would detect it
 * again. The sniffer returns such a call too, but does not escape quotes in the names of the file and its columns.
 * Rejects if lines have different numbers of fields, because the sniffer would leave rows out.
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

/** The format that the sniffer detected. */
interface Sniffed {
  readonly delimiter: string
  readonly columns: number
  /** Lines that it skipped at the top. */
  readonly skipped: number
}

/** A line that has another number of fields than the lines above it. Lines are counted from 1. */
interface RaggedLine {
  readonly line: number
  readonly fields: number
  readonly expected: number
}

/** Separators to try if the sniffer has detected none. */
const delimiters = [',', ';', '\t', '|']

/** How much of a file is searched for an uneven line. */
const headBytes = 4 * 1024 * 1024

/**
 * The line that made the sniffer misread a file; null if there is none. If lines have different numbers of fields,
 * DuckDB either skips lines at the top until the rest are even, even if only the last one is left, or takes each
 * line for one field. It reports neither as an error, and rows would be missing silently.
 */
const raggedLineError = async (path: string, sniffed: Sniffed): Promise<RaggedLine | null> => {
  if (sniffed.skipped === 0 && sniffed.columns !== 1) return null
  return findRaggedLine(await readHead(path), sniffed)
}

const readHead = async (path: string): Promise<string> => {
  const handle = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    const text = buffer.toString('utf8', 0, bytesRead).replace(/^\uFEFF/, '')
    // The last line may have been cut.
    return bytesRead < headBytes ? text : text.slice(0, text.lastIndexOf('\n') + 1)
  } finally {
    await handle.close()
  }
}

/** Finds it in the beginning of a file's text. */
const findRaggedLine = (text: string, { delimiter, columns, skipped }: Sniffed): RaggedLine | null => {
  const separator = columns === 1 ? likelyDelimiter(text) : delimiter
  if (separator === null || separator === '') return null
  const lines = countFields(text, separator)
  // A title, a date or a note above the header has no fields.
  const first = lines.find(({ fields }) => fields > 1)
  if (first === undefined || (columns > 1 && first.line > skipped)) return null
  const other = lines.find(({ line, fields }) => line > first.line && fields !== first.fields)
  return other === undefined ? null : { line: other.line, fields: other.fields, expected: first.fields }
}

/** The separator of the first line; null if it has none. */
const likelyDelimiter = (text: string): string | null => {
  const [{ fields, delimiter } = { fields: 1, delimiter: '' }] = delimiters
    .map(delimiter => ({ delimiter, fields: countFields(text, delimiter, 1)[0]?.fields ?? 1 }))
    .sort((a, b) => b.fields - a.fields)
  return fields > 1 ? delimiter : null
}

/**
 * The number of fields of each line that is not empty. Inside double quotes neither separators nor line ends
 * count. A quote in the middle of a field (`5" pipe`) opens nothing.
 */
const countFields = (
  text: string,
  delimiter: string,
  most = Number.POSITIVE_INFINITY,
): { readonly line: number; readonly fields: number }[] => {
  const found: { line: number; fields: number }[] = []
  let quoted = false
  let line = 1
  let began = { at: 0, line: 1 }
  let fields = 1
  let fieldBegan = 0
  for (let at = 0; at <= text.length && found.length < most; at++) {
    const character = text[at]
    if (character === '"') {
      if (quoted || at === fieldBegan || text[at - 1] === '"') quoted = !quoted
    } else if (character === undefined || (character === '\n' && !quoted)) {
      if (text.slice(began.at, at).trim() !== '') found.push({ line: began.line, fields })
      fields = 1
      fieldBegan = at + 1
      began = { at: at + 1, line: line + 1 }
    } else if (!quoted && text.startsWith(delimiter, at)) {
      fields += 1
      fieldBegan = at + delimiter.length
    }
    if (character === '\n') line += 1
  }
  return found
}
