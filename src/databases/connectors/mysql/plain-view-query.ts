import { sqlTokens } from '../../../sql/sql-tokens.ts'

/**
 * A view's query with the tables of its own database named plainly, as the catalog names them: the server writes
 * `shop`.`orders`.`id` throughout. Null where it is not told (SHOW VIEW is a right of its own), cannot be read, or has
 * an alias that is called like the database.
 */
export const unqualifyViewQuery = (query: string, database: string): string | null => {
  const cut = sqlTokens(query, 'mysql')
  if (query === '' || !cut.ok) return null
  const { tokens } = cut
  let plain = ''
  let at = 0
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'quoted' || token.value !== database) continue
    if (tokens[index - 1]?.text === '.') continue
    const dot = tokens[index + 1]
    if (dot?.text !== '.') return null
    plain += query.slice(at, token.start)
    at = dot.end
  }
  return plain + query.slice(at)
}
