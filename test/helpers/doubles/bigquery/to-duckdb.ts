/** What the statements of the tests use of GoogleSQL, as DuckDB writes it. */
const typeNames: Readonly<Record<string, string>> = {
  ...{ INT64: 'BIGINT', FLOAT64: 'DOUBLE', STRING: 'VARCHAR', BYTES: 'BLOB', BOOL: 'BOOLEAN' },
  ...{ TIMESTAMP: 'TIMESTAMPTZ', DATETIME: 'TIMESTAMP' },
}

const tokens =
  /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|--[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/|[A-Za-z_]\w*|[\s\S]/g

const textOf = (quoted: string): string =>
  quoted.slice(1, -1).replace(/\\([\s\S])/g, (_, letter: string) => (letter === 'n' ? '\n' : letter))

const nameOf = (quoted: string, project: string): string =>
  quoted
    .slice(1, -1)
    .split('.')
    .filter((part, at) => !(at === 0 && part === project))
    .map(part => `"${part}"`)
    .join('.')

/** Translates a statement. What it does not know stays, and DuckDB complains. */
export const toDuckdb = (sql: string, project: string): string => {
  const parts = sql.match(tokens) ?? []
  const text = parts
    .map(part => {
      if (part.length > 1 && (part.startsWith("'") || part.startsWith('"')))
        return `'${textOf(part).replaceAll("'", "''")}'`
      if (part.startsWith('`')) return nameOf(part, project)
      if (part.startsWith('#')) return ' '
      return typeNames[part.toUpperCase()] ?? part
    })
    .join('')
  return text
    .replace(new RegExp(`"${project}"\\.`, 'g'), '')
    .replace(/unnest\(generate_array\((\d+), (\d+)\)\) as (\w+)/gi, 'range($1, $2 + 1) AS $3_rows($3)')
    .replace(/struct\(([^()]*)\)/gi, (_, fields: string) => {
      const pairs = fields.split(',').map(field => field.trim().replace(/^(.*) as (\w+)$/i, '$2 := $1'))
      return `struct_pack(${pairs.join(', ')})`
    })
    .replace(/from_hex\(/gi, 'unhex(')
}
