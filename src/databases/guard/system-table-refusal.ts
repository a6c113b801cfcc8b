import type { ParseDialect } from '../../core/dialect.ts'
import type { TableReference } from '../../sql/sql-references.ts'

/**
 * Why a table must not be read, in words; null when it may. System catalogs tell of everything in a server, and in
 * DuckDB a name that looks like a file is a file.
 */
export const systemTableRefusal = (
  { catalog, schema, name }: TableReference,
  dialect: ParseDialect,
): string | null => {
  const qualifiers = [catalog, schema].filter(part => part !== null)
  const full = [...qualifiers, name].join('.')
  const rules = systemTables[dialect] ?? otherSystemTables
  const isSystem = qualifiers.some(part => rules.schemas.test(folded(part))) || rules.names.test(folded(name))
  if (isSystem) return `it reads ${full}, a system table`
  if (dialect === 'duckdb' && looksLikeFile(full, name)) return `it reads the file ${full}`
  return null
}

interface SystemTables {
  readonly schemas: RegExp
  readonly names: RegExp
}

const none = /(?!)/

const systemTables: Readonly<Partial<Record<ParseDialect, SystemTables>>> = {
  postgres: { schemas: /^(?:pg_\w*|information_schema)$/, names: /^pg_/ },
  sqlite: {
    schemas: none,
    names: /^(?:sqlite_|pragma_|dbstat$|fsdir$|zipfile$|bytecode$|tables_used$|completion$|csv$)/,
  },
  mysql: { schemas: /^(?:mysql|information_schema|performance_schema|sys|ndbinfo)$/, names: none },
  duckdb: {
    schemas: /^(?:pg_catalog|information_schema|system|temp)$/,
    names: /^(?:duckdb_|sqlite_|pragma_|pg_)/,
  },
}

const otherSystemTables: SystemTables = {
  schemas: /^(?:information_schema|sys|system|pg_catalog|master|msdb|account_usage)$/,
  names: /^(?:sys\w*|information_schema|pg_\w+|__\w+__)$/,
}

/** MySQL finds its schemas without regard to case and accents. */
const folded = (name: string): string =>
  name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i')

const looksLikeFile = (full: string, name: string): boolean =>
  /[/\\*?:]/.test(full) ||
  name.includes('.') ||
  /\.(?:csv|tsv|txt|json|jsonl|ndjson|parquet|pq|db|duckdb|sqlite|sqlite3|xlsx?|arrow|feather|avro|orc|gz|zst|zip|vortex)$/i.test(
    full,
  )
