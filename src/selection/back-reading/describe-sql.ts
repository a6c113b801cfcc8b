import type { Catalog } from '../../core/catalog.ts'
import { readQueryTree } from '../../sql/query-tree/read-query-tree.ts'
import { describeParts } from './describe-parts.ts'
import { describeQuery } from './describe-query.ts'
import type { DescribedSql } from './described-sql.ts'
import { outermostScope } from './names.ts'

/**
 * A statement in plain words, with names as the catalog has them: `the number of singers where the age is more than
 * 20, for each country`. Null for a text that cannot be parsed or is no single query.
 */
export const describeSql = (sql: string, catalog: Catalog): DescribedSql | null => {
  const query = readQueryTree(sql, catalog.dialect)
  if (query === null) return null
  const names = outermostScope(catalog)
  return { text: describeQuery(query, names), parts: describeParts(query, names) }
}
