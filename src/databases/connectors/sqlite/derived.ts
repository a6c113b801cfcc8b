import type { Table } from '../../../domain/catalog.ts'
import { type SqlToken, sqlTokens } from '../../../sql/sql-tokens.ts'
import { quoteName } from '../standard-sql.ts'

/** The virtual tables that hold what was put into them and nothing else. */
const ownData = /^(?:rtree|rtree_i32|geopoly|fts[345])$/

/**
 * For a virtual table, a query for what it shows of other tables: null if it shows only its own rows, empty if nobody
 * can tell. `statement` is its CREATE VIRTUAL TABLE.
 */
export const shownByVirtualTable = (
  statement: string,
  columns: readonly string[],
): NonNullable<Table['definition']> | null => {
  const cut = sqlTokens(statement, 'sqlite')
  const using = cut.ok ? cut.tokens.findIndex(({ kind, value }) => kind === 'word' && value === 'using') : -1
  const module = cut.ok ? cut.tokens[using + 1]?.value.toLowerCase() : undefined
  if (!cut.ok || using < 0 || module === undefined) return ''
  const args = itemsIn(cut.tokens.slice(using + 2))
  // The words of a full-text table, whichever column each is from.
  if (module === 'fts5vocab' || module === 'fts4aux') {
    const table = (args.length > 2 || (module === 'fts4aux' && args.length > 1) ? args[1] : args[0])?.[0]
      ?.value
    return table === undefined ? '' : `SELECT * FROM ${quoteName(table)}`
  }
  if (!ownData.test(module)) return ''
  // An index over the rows of another table, which gives those rows.
  const content = args.find(
    ([option, sign]) => option?.value.toLowerCase() === 'content' && sign?.text === '=',
  )
  const source = content?.[2]?.value ?? ''
  if (source === '') return null
  const names = columns.map(name => `source.${quoteName(name)}`)
  return `SELECT ${names.join(', ')} FROM ${quoteName(source)} AS source`
}

/**
 * What a generated column is made from: its part of CREATE TABLE, which names the columns that it reads. The whole
 * statement if the part is not found.
 */
export const generatedFrom = (statement: string, column: string): string => {
  const cut = sqlTokens(statement, 'sqlite')
  const open = cut.ok ? cut.tokens.findIndex(({ text }) => text === '(') : -1
  if (!cut.ok || open < 0) return statement
  const item = itemsIn(cut.tokens.slice(open)).find(
    ([name]) => name?.value.toLowerCase() === column.toLowerCase(),
  )
  const [, first] = item ?? []
  const last = item?.at(-1)
  return first === undefined || last === undefined ? statement : statement.slice(first.start, last.end)
}

/** What stands between commas in the brackets that these tokens begin with. */
const itemsIn = (tokens: readonly SqlToken[]): readonly (readonly SqlToken[])[] => {
  const items: SqlToken[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (token.text === ')') depth -= 1
    if (depth === 1 && token.text === ',') items.push([])
    else if (depth > 0) items.at(-1)?.push(token)
    if (token.text === '(') depth += 1
    if (depth === 0) break
  }
  return items
}
