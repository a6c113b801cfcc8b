import type { Dialect } from '../../core/dialect.ts'

/**
 * A constant as the dialect writes it. MySQL reads backslashes in plain strings as escapes, so they are doubled there;
 * the other dialects take them as they are. NUL cannot stand in a text of any of them and is dropped. Numbers that
 * SQL cannot write (NaN, infinities) become NULL.
 */
export const quoteLiteral = (value: string | number | bigint | boolean | null, dialect: Dialect): string => {
  if (value === null) return 'NULL'
  switch (typeof value) {
    case 'bigint':
      return value.toString()
    case 'number':
      return Number.isFinite(value) ? String(value) : 'NULL'
    case 'boolean':
      return dialect === 'sqlite' ? (value ? '1' : '0') : value ? 'TRUE' : 'FALSE'
    case 'string':
      return quoteText(value, dialect)
  }
}

const quoteText = (text: string, dialect: Dialect): string => {
  const bare = text.replaceAll('\0', '').replaceAll("'", "''")
  return `'${dialect === 'mysql' ? bare.replaceAll('\\', '\\\\') : bare}'`
}
