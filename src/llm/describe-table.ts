import type { ModelReply } from '../core/model.ts'
import type { AskModel } from './ask-model.ts'

/** One table for the describer, rendered with what was measured of it. */
export interface TableToDescribe {
  /** What the database is about, in a sentence, or its name. */
  readonly database: string
  readonly rendered: string
  /** The columns that nobody has described yet. */
  readonly columns: readonly string[]
}

/** What a model says of a table; a null or a missing column is one that it could not tell. */
export interface DescribedTable {
  readonly table: string | null
  readonly columns: readonly { readonly column: string; readonly text: string }[]
}

/** Has one table described. Throws `ModelError` as `AskForSql` does. */
export type DescribeTable = (
  table: TableToDescribe,
  options?: { readonly signal?: AbortSignal },
) => Promise<ModelReply<DescribedTable>>

/** A description is a sentence; what is longer is cut. */
const maxDescriptionLength = 240

/** Columns that one call describes. */
const maxDescribedColumns = 60

/** Makes the describer. Columns that were not asked for are dropped from what comes back, and so are empty words. */
export const makeDescribeTable =
  (askModel: AskModel): DescribeTable =>
  async ({ database, rendered, columns }, { signal } = {}) => {
    const asked = columns.slice(0, maxDescribedColumns)
    const { value, usage } = await askModel(
      {
        role: 'describer',
        prompt: 'describe-table',
        variables: { database, table: rendered, columns: asked.join('\n') },
        ...(signal ? { signal } : {}),
      },
      ['descriptions'],
    )
    const table = onOneLine(value.table)
    return {
      value: {
        table: table === '' ? null : table,
        columns: asked.flatMap(column => {
          const found = value.columns.find(one => one.column === column)
          const text = onOneLine(found?.description ?? '')
          return text === '' ? [] : [{ column, text }]
        }),
      },
      usage,
    }
  }

/** What a model wrote goes into a file and into prompts: one line, without what would end it or begin another piece. */
const onOneLine = (text: string): string => {
  const line = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be rid of
    .replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .replace(/<!--|-->/g, '')
    .trim()
  return line.length > maxDescriptionLength ? `${line.slice(0, maxDescriptionLength - 1)}…` : line
}
