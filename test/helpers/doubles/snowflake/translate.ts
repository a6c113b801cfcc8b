import { type SqlToken, sqlTokens } from '../../../../src/sql/parse/sql-tokens.ts'

/** A statement as DuckDB runs it, and what its result means. */
export interface Translated {
  readonly sql: string
  readonly kind: 'rows' | 'plan'
}

/** Statements that the double knows besides queries and writes. */
const explain = /^\s*EXPLAIN\s+USING\s+JSON\s+/i

const show = /^\s*SHOW\s+(PRIMARY|IMPORTED)\s+KEYS\s+IN\s+SCHEMA\s+"([^"]+)"\."([^"]+)"\s*$/i

const informationViews = new Set(['TABLES', 'COLUMNS', 'VIEWS'])

/**
 * Snowflake's SQL as DuckDB reads it. Names without quotes become upper case, as Snowflake stores them. Beyond that only
 * the information schema, generators and quotes differ; whatever else DuckDB does not know fails there.
 */
export const translate = (statement: string): Translated => {
  const keys = show.exec(statement)
  if (keys) {
    const [, which = '', database, schema] = keys
    return {
      kind: 'rows',
      sql: `SELECT * FROM memory."SNOW"."${which.toUpperCase()}_KEYS" WHERE "${which === 'PRIMARY' ? '' : 'fk_'}database_name" = '${database}' AND "${which === 'PRIMARY' ? '' : 'fk_'}schema_name" = '${schema}'`,
    }
  }
  if (/^\s*SHOW\b/i.test(statement)) throw new Error(`The double knows no such SHOW: ${statement}`)
  const kind = explain.test(statement) ? 'plan' : 'rows'
  const sql = rewrite(statement.replace(explain, ''))
  return { kind, sql: kind === 'plan' ? `EXPLAIN (FORMAT JSON) ${sql}` : sql }
}

const rewrite = (sql: string): string => {
  const cut = sqlTokens(sql, 'snowflake')
  // Let DuckDB say what is wrong with it.
  if (!cut.ok) return sql
  let written = ''
  let end = 0
  for (let at = 0; at < cut.tokens.length; ) {
    const token = cut.tokens[at] as SqlToken
    const { text, size } = informationAt(cut.tokens, at) ??
      generatorAt(cut.tokens, at) ?? { text: plain(token), size: 1 }
    written += sql.slice(end, token.start) + text
    at += size
    end = cut.tokens[at - 1]?.end ?? end
  }
  return written + sql.slice(end)
}

const plain = ({ kind, text, value }: SqlToken): string => {
  if (kind === 'word') return text.toUpperCase()
  // DuckDB has no escapes in plain strings.
  return kind === 'string' && text.startsWith("'") ? `'${value.replaceAll("'", "''")}'` : text
}

/** `"SHOP".INFORMATION_SCHEMA.TABLES`, from views that the engine makes. */
const informationAt = (tokens: readonly SqlToken[], at: number): { text: string; size: number } | null => {
  const [database, , schema, , view] = tokens.slice(at, at + 5)
  if (database?.kind !== 'quoted' || schema?.text.toUpperCase() !== 'INFORMATION_SCHEMA') return null
  const name = view?.text.toUpperCase() ?? ''
  if (!informationViews.has(name)) throw new Error(`The double has no INFORMATION_SCHEMA.${name}.`)
  return {
    text: `(SELECT * FROM memory."SNOW"."${name}" WHERE "TABLE_CATALOG" = '${database.value}')`,
    size: 5,
  }
}

/** `TABLE(GENERATOR(ROWCOUNT => 10))`, and its SEQ8(). */
const generatorAt = (tokens: readonly SqlToken[], at: number): { text: string; size: number } | null => {
  const texts = tokens.slice(at, at + 9).map(({ text }) => text.toUpperCase())
  if (texts.slice(0, 3).join('') === 'SEQ8()') return { text: '"range"', size: 3 }
  const isGenerator = texts.slice(0, 6).join(' ') === 'TABLE ( GENERATOR ( ROWCOUNT =>'
  return isGenerator ? { text: `range(${texts[6]})`, size: 9 } : null
}
