import type { SqlToken } from '../../../src/sql/sql-tokens.ts'
import { isName, type Statement } from './statement.ts'

/** Where a column is named without a table: not behind a dot, not called, not given as a name. */
export const bareColumnTokens = (column: string, statement: Statement): readonly SqlToken[] =>
  statement.tokens.filter((token, at) => {
    const before = statement.tokens[at - 1]
    const next = statement.tokens[at + 1]?.text
    if (!isName(token, column, statement) || before?.text === '.' || next === '.' || next === '(')
      return false
    return !(before?.kind === 'word' && before.value === 'as')
  })
