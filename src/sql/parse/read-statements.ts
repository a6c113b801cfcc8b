import { dialectNamed } from '../dialects.ts'
import type { Expression, QueryTree } from '../tree/query-tree.ts'
import { readPolyglot } from './read-polyglot.ts'
import { readPostgres } from './read-postgres.ts'
import type { SqlTree } from './sql-tree.ts'

/** Every statement of a parsed text; a query is a subquery without brackets, anything else an expression of its parts. */
export const readStatements = (parsed: SqlTree): readonly Expression[] => {
  const known = statementsOf.get(parsed)
  if (known !== undefined) return known
  const text = dialectNamed(parsed.dialect).grammar.doubleQuotes === 'either' ? parsed.read : null
  const statements = parsed.statements.map(statement =>
    parsed.parser === 'libpg-query' ? readPostgres(statement) : readPolyglot(statement, text),
  )
  statementsOf.set(parsed, statements)
  return statements
}

const statementsOf = new WeakMap<SqlTree, readonly Expression[]>()

/** The one query of a parsed text, as its parser gives it; null if it is anything else. */
export const readQuery = (parsed: SqlTree): QueryTree | null => {
  const [statement, second] = readStatements(parsed)
  return statement?.kind === 'subquery' && second === undefined ? statement.query : null
}
