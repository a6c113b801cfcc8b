import { type Column, nameTables, type Table } from '../../../src/domain/catalog.ts'
import type { Database } from '../../../src/domain/database.ts'
import type { LinkedSchema } from '../../../src/domain/question-context.ts'
import type { Cell } from '../../../src/domain/result.ts'
import { mapInParallel } from '../../../src/lib/concurrency.ts'
import { isPersonalColumn } from '../../../src/lib/personal-columns.ts'
import { quoteIdentifier } from '../../../src/sql/render/quote.ts'

/** Tables that are read for one question: each costs a statement. */
const MOST_TABLES = 30

const MOST_COLUMNS = 20

const LONGEST_CELL = 40

const AT_A_TIME = 3

/** The first rows of one table, cells as text. */
interface TableSample {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Samples by the names of tables; a table that could not be read is left out. */
type Samples = ReadonlyMap<string, TableSample>

/**
 * The first rows of each table of a schema (SSEV 3.1.1), each read by a statement through the guard as any other. Columns
 * that are hidden are not in the catalog; masked ones and those with personal data are left out. Rejects only on a stop.
 */
export const readSampleRows = async (
  { catalog, guard, run }: Pick<Database, 'catalog' | 'guard' | 'run'>,
  linked: LinkedSchema,
  { rows, signal }: { readonly rows: number; readonly signal?: AbortSignal },
): Promise<Samples> => {
  const wanted = new Set(linked.tables.map(({ table }) => table))
  const tables = [...nameTables(catalog)].filter(([, name]) => wanted.has(name)).slice(0, MOST_TABLES)
  const readTable = async ([table, name]: readonly [Table, string]) => {
    const columns = table.columns.filter(column => isShown(column, table)).slice(0, MOST_COLUMNS)
    if (columns.length === 0) return null
    const quote = (text: string): string => quoteIdentifier(text, catalog.dialect)
    const from = [table.schema, table.name].filter(part => part !== null).map(quote)
    const verdict = guard(
      `SELECT ${columns.map(column => quote(column.name)).join(', ')} FROM ${from.join('.')} LIMIT ${rows}`,
    )
    if (verdict.verdict === 'refuse') return null
    try {
      const found = await run(verdict.guarded, signal ? { signal } : {})
      const sample = {
        columns: columns.map(column => column.name),
        rows: found.rows.map(row => row.map(textOf)),
      }
      return [name, sample] as const
    } catch {
      // A view that is too expensive or a table that is locked: the prompt does without.
      signal?.throwIfAborted()
      return null
    }
  }
  return new Map((await mapInParallel(tables, AT_A_TIME, readTable)).filter(one => one !== null))
}

const isShown = (column: Column, table: Table): boolean =>
  column.masked !== true && column.kind !== 'blob' && !isPersonalColumn(column, table)

/** On one line and cut: it is other people's text in a prompt. */
const textOf = (cell: Cell): string => {
  if (cell === null) return 'NULL'
  if (cell instanceof Uint8Array) return `${cell.byteLength} bytes`
  const line = String(cell).replace(/\s+/g, ' ').trim()
  return line.length > LONGEST_CELL ? `${line.slice(0, LONGEST_CELL - 1)}…` : line
}

/** The sampled rows of the tables and columns of a schema, for a prompt; empty if there are none. */
export const describeSampleRows = (samples: Samples, linked: LinkedSchema): string => {
  const tables = linked.tables.flatMap(({ table, keep }) => {
    const sample = samples.get(table)
    if (sample === undefined) return []
    const shown = sample.columns.flatMap((name, at) => (keep === 'all' || keep.includes(name) ? [at] : []))
    if (shown.length === 0 || sample.rows.length === 0) return []
    const lines = [sample.columns, ...sample.rows].map(cells => shown.map(at => cells[at]).join(' | '))
    return [`${table}\n${lines.join('\n')}`]
  })
  return tables.join('\n\n')
}

/** Questions whose rows are remembered: those that are being answered. */
const MOST_QUESTIONS = 50

/** Remembers what is read for a question, so that its experts see the same rows and the tables are read once. */
export const makeRememberSamples = (): ((
  questionId: string,
  read: () => Promise<Samples>,
) => Promise<Samples>) => {
  const known = new Map<string, Promise<Samples>>()
  return (questionId, read) => {
    const samples = known.get(questionId) ?? read()
    known.delete(questionId)
    known.set(questionId, samples)
    samples.catch(() => known.delete(questionId))
    const [oldest] = known.keys()
    if (known.size > MOST_QUESTIONS && oldest !== undefined) known.delete(oldest)
    return samples
  }
}
