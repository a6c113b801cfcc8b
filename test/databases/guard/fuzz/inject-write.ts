import fc from 'fast-check'
import type { ParseDialect } from '../../../../src/domain/sql.ts'
import { sqlTokens } from '../../../../src/sql/parse/sql-tokens.ts'
import { harmless, type Statement } from './fuzz-corpus.ts'

/** Statements that change something, in any dialect that reads them at all. */
const writes = [
  'DELETE FROM t',
  'UPDATE t SET a = 1',
  'INSERT INTO t VALUES (1)',
  'INSERT INTO t SELECT * FROM u',
  'MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN DELETE',
  'DROP TABLE t',
  'TRUNCATE TABLE t',
  'ALTER TABLE t ADD COLUMN x int',
  'CREATE TABLE x AS SELECT 1',
  'SELECT * INTO x FROM t',
  'GRANT ALL ON t TO public',
] as const

/** What is no write and yet must not run: calls and tables that reach out of the data, by dialect. */
const reaches: Readonly<Record<ParseDialect, readonly string[]>> = {
  postgres: [
    'pg_sleep(9)',
    "pg_read_file('x')",
    "nextval('s')",
    '(SELECT rolpassword FROM pg_authid LIMIT 1)',
    "dblink('x', 'y')",
  ],
  sqlite: ["load_extension('x')", 'randomblob(9)', '(SELECT sql FROM sqlite_master)', "readfile('x')"],
  mysql: [
    'sleep(9)',
    "load_file('x')",
    "get_lock('a', 9)",
    '(SELECT password FROM mysql.user)',
    '@a := 1',
    '@@version',
  ],
  duckdb: ["getenv('x')", "(SELECT content FROM read_text('x'))", "(FROM 'x.csv')", "nextval('s')"],
  snowflake: ['system$wait(9)', 'my_udf(1)'],
  bigquery: ["EXTERNAL_QUERY('x', 'y')", 'my_udf(1)'],
  tsql: ["xp_cmdshell('x')", "(SELECT * FROM OPENROWSET('x', 'y', 'z'))"],
  clickhouse: ["file('x')", "(SELECT * FROM url('http://x', 'CSV'))", 'sleep(3)'],
  spark: ["java_method('java.lang.Runtime', 'exit', 1)", '(SELECT * FROM csv.`/etc/passwd`)', 'my_udf(1)'],
  redshift: ['my_udf(1)', 'pg_terminate_backend(1)', '(SELECT * FROM stl_query)'],
  trino: ['my_udf(1)', "(SELECT * FROM TABLE(system.query(query => 'x')))"],
}

const blanks = [' ', '\n', '\t', '/**/', ' /* ; */ ', ' -- x\n'] as const

/** Keywords in any case, and blanks of any kind between words: what a lexer that is too simple stumbles over. */
const disguise = (text: string, cases: readonly boolean[], blank: string): string =>
  [...text.replaceAll(' ', blank)]
    .map((letter, at) => (cases[at % cases.length] ? letter.toLowerCase() : letter))
    .join('')

const replaceAt = (
  { sql, dialect }: Statement,
  where: number,
  kinds: readonly string[],
  put: (token: string) => string,
): string | null => {
  const cut = sqlTokens(sql, dialect)
  const tokens = cut.ok ? cut.tokens.filter(token => kinds.includes(token.kind)) : []
  const token = tokens[where % Math.max(1, tokens.length)]
  return token === undefined ? null : sql.slice(0, token.start) + put(token.text) + sql.slice(token.end)
}

const ways = {
  before: ({ sql }, write) => `${write}; ${sql}`,
  after: ({ sql }, write) => `${sql}\n; ${write}`,
  'in a CTE': ({ sql }, write) => `WITH planted AS (${write} RETURNING *) ${sql}`,
  'in another CTE': ({ sql }, write) =>
    `WITH one AS (SELECT 1 AS x), planted AS (${write}) SELECT * FROM (${sql}\n) AS y`,
  'in a subquery': ({ sql }, write) => `SELECT * FROM (${write}) AS planted, (${sql}\n) AS y`,
  'in a union': ({ sql }, write) => `${sql}\n UNION ALL ${write}`,
  'in EXISTS': ({ sql }, write) => `SELECT * FROM (${sql}\n) AS y WHERE EXISTS (${write} RETURNING 1)`,
  'in a call': ({ sql }, write) => `SELECT coalesce((${write} RETURNING a), 1) FROM (${sql}\n) AS y`,
  'between two words': (statement, write, where) =>
    replaceAt(
      statement,
      where,
      ['word', 'number', 'operator', 'punctuation'],
      token => `; ${write}; ${token}`,
    ),
} as const satisfies Record<string, (statement: Statement, write: string, where: number) => string | null>

/** A harmless query with a write put into it where SQL has code, and not text or comment. */
export const injectedWrite: fc.Arbitrary<Statement> = fc
  .record({
    statement: fc.constantFrom(...harmless),
    write: fc.constantFrom(...writes),
    way: fc.constantFrom(...(Object.keys(ways) as (keyof typeof ways)[])),
    where: fc.nat(1000),
    cases: fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
    blank: fc.constantFrom(...blanks),
  })
  .map(({ statement, write, way, where, cases, blank }) => ({
    dialect: statement.dialect,
    sql: ways[way](statement, disguise(write, cases, blank), where),
  }))
  .filter((planted): planted is Statement => planted.sql !== null)

/** A harmless query in which one value has become a call, or a query, that reaches out of the data. */
export const injectedReach: fc.Arbitrary<Statement> = fc
  .record({ statement: fc.constantFrom(...harmless), which: fc.nat(100), where: fc.nat(1000) })
  .map(({ statement, which, where }) => {
    const { dialect } = statement
    const calls = reaches[dialect] ?? []
    const reach = calls[which % calls.length]!
    return { dialect, sql: replaceAt(statement, where, ['number', 'string'], () => reach) }
  })
  .filter((planted): planted is Statement => planted.sql !== null)
