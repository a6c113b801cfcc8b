import type { Table } from '../../../src/core/catalog.ts'
import { quoteIdentifier } from '../../../src/sql/render/quote-identifier.ts'
import { bareColumnTokens } from '../fixes/bare-column-tokens.ts'
import type { Edit } from '../fixes/edit.ts'
import { isTableReference } from '../fixes/rename-tables.ts'
import { isName, type Statement } from '../fixes/statement.ts'
import type { OwnedColumnUse } from './column-uses.ts'
import type { PastTable } from './past-tables.ts'

/** Gives a table its new name wherever the statement names it, with its schema where it needs one. */
export const tableEdits = (past: Statement, gone: PastTable, now: Table): readonly Edit[] => {
  const { dialect } = past.database
  const name = quoteIdentifier(now.name, dialect)
  const text = now.schema === null ? name : `${quoteIdentifier(now.schema, dialect)}.${name}`
  return past.tokens.flatMap((token, at) => {
    if (!isName(token, gone.name, past) || !isTableReference(at, gone.name, past)) return []
    // Before a column the name alone will do; in a FROM clause the schema that stands there goes too.
    if (past.tokens[at + 1]?.text === '.') return [{ start: token.start, end: token.end, text: name }]
    const schema = past.tokens[at - 1]?.text === '.' ? past.tokens[at - 2] : undefined
    return [{ start: schema?.start ?? token.start, end: token.end, text }]
  })
}

/** Writes another column in the place of one, wherever these uses name it; `text` stands for the column alone. */
export const columnEdits = (
  past: Statement,
  uses: readonly OwnedColumnUse[],
  { text, withQualifier }: { readonly text: string; readonly withQualifier: boolean },
): readonly Edit[] => {
  const edits = uses.flatMap(({ block, use }): readonly Edit[] => {
    if (use.qualifier === null)
      return bareColumnTokens(use.column, block, past)
        .filter(token => !isTableReference(past.tokens.indexOf(token), use.column, past))
        .map(({ start, end }) => ({ start, end, text }))
    const { qualifier } = use
    return block.own.flatMap(at => {
      const [token, dot, name] = past.tokens.slice(at, at + 3)
      if (!token || !name || dot?.text !== '.') return []
      if (!isName(token, qualifier, past) || !isName(name, use.column, past)) return []
      return [{ start: withQualifier ? token.start : name.start, end: name.end, text }]
    })
  })
  // The same place is named by each use of the column in its SELECT.
  return [...new Map(edits.map(edit => [edit.start, edit])).values()]
}
