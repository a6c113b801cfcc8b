import type { Dialect } from '../../../core/dialect.ts'

/**
 * A name as the server compares it with others. Postgres's parser has folded it already; SQLite and DuckDB fold
 * ASCII alone; MySQL compares names without regard to case and accents.
 */
export const foldName = (name: string, dialect: Dialect): string => {
  switch (dialect) {
    case 'postgres':
      return name
    case 'mysql':
      return name
        .normalize('NFKD')
        .replace(/\p{M}/gu, '')
        .toLowerCase()
        .replaceAll('ß', 's')
        .replaceAll('ı', 'i')
    case 'sqlite':
    case 'duckdb':
      return name.replace(/[A-Z]/g, letter => letter.toLowerCase())
    default: {
      const never: never = dialect
      return never
    }
  }
}
