import type { Edit } from './edit.ts'
import { isWord, type Statement } from './statement.ts'

/** LIKE finds texts in any case in SQLite and MySQL; where it does not, a pattern that finds nothing is tried so. */
export const ignoreCaseInPatterns = ({ tokens, database }: Statement): readonly Edit[] =>
  database.dialect !== 'postgres' && database.dialect !== 'duckdb'
    ? []
    : tokens.filter(token => isWord(token, 'like')).map(({ start, end }) => ({ start, end, text: 'ILIKE' }))
