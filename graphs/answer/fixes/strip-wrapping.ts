import { parseSql } from '../../../src/sql/parse-sql.ts'
import type { Statement } from './statement.ts'

/**
 * What models write around a statement: a code fence before or behind it, and a SELECT before the SELECT. Takes text,
 * because with a fence it is no SQL; a fence is only looked for at its ends, where no string of a statement can be.
 */
export const stripWrapping = (sql: string, { dialect }: Statement['database']): string => {
  const bare = sql
    .replace(/^[\s\u200b\ufeff]*```[a-z]*\s*\n?/i, '')
    .replace(/[\s;]*```[\s\S]*$/, '')
    .replace(/^\s*select[\s\u200b\ufeff]+(?=(?:select|with)\s)/i, '')
    .trim()
  return bare !== sql.trim() && parseSql(bare, dialect).ok ? bare : sql
}
