import type { SampleCell } from './sample-data.ts'

/** Chunks of about this many characters: a chunk per row spends most of its time in stream bookkeeping. */
const CHUNK = 65_536

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** Rows in the text format of COPY (Postgres manual, COPY, "Text Format"). */
export function* encodeCopy(rows: Iterable<readonly SampleCell[]>): Generator<string> {
  let chunk = ''
  for (const row of rows) {
    chunk += `${row.map(encodeCell).join('\t')}\n`
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

const encodeCell = (cell: SampleCell): string => {
  if (cell === null) return '\\N'
  if (typeof cell === 'string') return cell.replace(/[\\\t\n\r]/g, sign => escapes[sign]!)
  return String(cell)
}
