import type { Dialect } from '../../core/dialect.ts'
import { reservedWords } from './reserved-words.ts'

/** Names that mean the same with and without quotes. Postgres folds bare names to lower case, so capitals need quotes there. */
const plain: Readonly<Record<Dialect, RegExp>> = {
  postgres: /^[a-z_][a-z0-9_]*$/,
  sqlite: /^[A-Za-z_][A-Za-z0-9_]*$/,
  mysql: /^[A-Za-z_][A-Za-z0-9_]*$/,
  duckdb: /^[A-Za-z_][A-Za-z0-9_]*$/,
}

/** A name as the dialect needs it written: bare where that is safe, else quoted with its own quotes doubled. */
export const quoteIdentifier = (name: string, dialect: Dialect): string => {
  if (plain[dialect].test(name) && !reservedWords.has(name.toLowerCase())) return name
  return dialect === 'mysql' ? `\`${name.replaceAll('`', '``')}\`` : `"${name.replaceAll('"', '""')}"`
}
