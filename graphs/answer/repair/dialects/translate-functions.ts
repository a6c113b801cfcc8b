import type { Dialect } from '../../../../src/domain/sql.ts'
import { databaseDialect } from '../../../../src/sql/dialects.ts'
import type { SqlToken } from '../../../../src/sql/parse/sql-tokens.ts'
import type { PortableOperation } from '../../../../src/sql/rewrite/portable-operation.ts'
import { applyEdits, closingOf, type Edit, type Statement } from '../statement.ts'
import { parseCall } from './parse-call.ts'

/**
 * Translates functions that only other databases have. Functions that this database has are not touched, even if they do
 * something else elsewhere.
 */
export const translateFunctions = (statement: Statement): readonly Edit[] =>
  editsIn(0, statement.tokens.length, statement)

const editsIn = (from: number, to: number, statement: Statement): readonly Edit[] => {
  const edits: Edit[] = []
  for (let at = from; at < to; at++) {
    const found = translated(at, statement)
    if (found === null) continue
    edits.push(found.edit)
    at = found.close
  }
  return edits
}

const translated = (
  at: number,
  statement: Statement,
): { readonly edit: Edit; readonly close: number } | null => {
  const { tokens } = statement
  const token = tokens[at] as SqlToken
  if (token.kind !== 'word' || tokens[at - 1]?.text === '.' || tokens[at + 1]?.text !== '(') return null
  const close = closingOf(at + 1, tokens)
  if (close >= tokens.length) return null
  const ranges = argumentsOf(at + 1, close, tokens)
  const { dialect } = statement.database
  const operation = parseCall(
    {
      name: token.value,
      args: ranges.map(range => textOf(range, statement)),
      texts: ranges.map(({ from, to }) => {
        const only = to - from === 1 ? tokens[from] : undefined
        return only?.kind === 'string' ? only.value : null
      }),
    },
    dialect,
  )
  const text = operation && writeOperation(operation, dialect)
  return text ? { edit: { start: token.start, end: tokens[close]?.end ?? 0, text }, close } : null
}

const writeOperation = (operation: PortableOperation, dialect: Dialect): string | null => {
  if (operation.does === 'call') return `${operation.name}(${operation.args.join(', ')})`
  if (operation.does === 'choose')
    return `CASE WHEN ${operation.when} THEN ${operation.then} ELSE ${operation.otherwise} END`
  return databaseDialect(dialect).repair.writeOperation(operation)
}

interface Range {
  readonly from: number
  readonly to: number
}

const argumentsOf = (open: number, close: number, tokens: readonly SqlToken[]): readonly Range[] => {
  const ranges: Range[] = []
  let from = open + 1
  for (let at = from; at <= close; at++) {
    const text = tokens[at]?.text
    if (at === close || text === ',') {
      if (at > from) ranges.push({ from, to: at })
      from = at + 1
    } else if (text === '(') at = closingOf(at, tokens)
  }
  return ranges
}

/** An argument with what is foreign in it translated too. */
const textOf = ({ from, to }: Range, statement: Statement): string => {
  const start = statement.tokens[from]?.start ?? 0
  const end = statement.tokens[to - 1]?.end ?? start
  const edits = editsIn(from, to, statement).map(edit => ({
    ...edit,
    start: edit.start - start,
    end: edit.end - start,
  }))
  return applyEdits(statement.sql.slice(start, end), edits)
}
