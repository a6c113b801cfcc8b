import type { ModelRequest } from '../../../src/domain/model.ts'
import type { RenderSchema } from '../../../src/domain/question-context.ts'
import type { Cell, ResultTable } from '../../../src/domain/result.ts'
import type { PairInput } from '../../../src/domain/selection/pairwise.ts'
import type { Dialect } from '../../../src/domain/sql.ts'
import { databaseDialect } from '../../../src/sql/dialects.ts'
import { sqlTokens } from '../../../src/sql/parse/sql-tokens.ts'
import { questionVariables } from '../drafting/model-paths.ts'
import { describeEvidence } from '../drafting/prompt-inputs.ts'

/** What a judge may be shown. Without `seesRows` no row of a result is sent, only how many there are and of which columns. */
export interface JudgeView {
  readonly renderSchema: RenderSchema
  readonly seesRows: boolean
}

/** What a judge is asked about a pair (CHASE-SQL 3.5): the question, the union schema, both statements, heads of both results. */
export const judgeRequest = (
  { understanding, database, linked, matches, first, second }: Omit<PairInput, 'questionId' | 'signal'>,
  view: JudgeView,
): Pick<ModelRequest, 'role' | 'prompt' | 'variables'> => {
  const seesRows = view.seesRows && !database.hidesValues
  const shownSql = (sql: string): string =>
    database.hidesValues ? withoutForeignTexts(sql, database.dialect, understanding.text) : sql
  return {
    role: 'judge',
    prompt: 'judge-pair',
    variables: {
      dialect: databaseDialect(database.dialect).promptNotes,
      schema: view.renderSchema(database.catalog, linked),
      evidence: describeEvidence(database.knowledge, { understanding, linked }),
      ...questionVariables({ understanding, matches, database }),
      'first-statement': shownSql(first.sql),
      'first-result': describeResult(first.result, { seesRows }),
      'second-statement': shownSql(second.sql),
      'second-result': describeResult(second.result, { seesRows }),
    },
  }
}

/** The statement without texts that the question does not have: they may be values of the database. */
export const withoutForeignTexts = (sql: string, dialect: Dialect, question: string): string => {
  const cut = sqlTokens(sql, dialect)
  if (!cut.ok) return '(not shown)'
  const asked = question.toLowerCase()
  let shown = sql
  for (const { kind, value, start, end } of cut.tokens.toReversed())
    if (kind === 'string' && !asked.includes(value.toLowerCase()))
      shown = `${shown.slice(0, start)}'...'${shown.slice(end)}`
  return shown
}

/** Enough to see what a row is; a judge weighs meanings, not totals. */
const MOST_ROWS = 8

const MOST_COLUMNS = 12

const LONGEST_CELL = 60

/** The head of a result for a prompt: how many rows, which columns, and the first rows where they may be shown. */
export const describeResult = (
  result: ResultTable | null,
  { seesRows, mostRows = MOST_ROWS }: { readonly seesRows: boolean; readonly mostRows?: number },
): string => {
  if (result === null) return 'It ran; its rows are no longer kept.'
  const { columns, rows, truncated } = result
  const shown = columns.slice(0, MOST_COLUMNS)
  const named = shown.map(({ name, kind }) => `${onOneLine(name)} (${kind})`)
  const more = columns.length > shown.length ? [`and ${columns.length - shown.length} more`] : []
  const count = `${truncated === null ? '' : 'at least '}${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`
  const lines = [`${count}; columns: ${[...named, ...more].join(', ')}`]
  if (!seesRows || rows.length === 0) return lines.join('\n')
  const head = rows.slice(0, mostRows).map(row => row.slice(0, MOST_COLUMNS).map(describeCell).join(' | '))
  const left = rows.length > mostRows ? ['...'] : []
  return [...lines, ...head, ...left].join('\n')
}

const describeCell = (cell: Cell): string => {
  if (cell === null) return 'NULL'
  if (cell instanceof Uint8Array) return `(${cell.length} bytes)`
  const text = onOneLine(String(cell))
  return text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL)}…` : text
}

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ')
