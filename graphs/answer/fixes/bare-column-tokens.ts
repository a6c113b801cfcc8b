import type { SqlToken } from '../../../src/sql/sql-tokens.ts'
import type { SelectBlock } from './select-blocks.ts'
import { isName, type Statement } from './statement.ts'

/** Where one SELECT names a column without a table: not behind a dot, not called, not given as a name. */
export const bareColumnTokens = (
  column: string,
  block: SelectBlock,
  statement: Statement,
): readonly SqlToken[] =>
  block.own.flatMap(at => {
    const token = statement.tokens[at] as SqlToken
    const before = statement.tokens[at - 1]
    const next = statement.tokens[at + 1]?.text
    if (!isName(token, column, statement) || before?.text === '.' || next === '.' || next === '(') return []
    return before?.kind === 'word' && before.value === 'as' ? [] : [token]
  })
