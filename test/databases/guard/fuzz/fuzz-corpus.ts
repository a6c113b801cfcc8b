import { readFileSync } from 'node:fs'
import type { ParseDialect } from '../../../../src/domain/sql.ts'
import { dialectNames } from '../../../../src/sql/dialects.ts'

export interface Statement {
  readonly dialect: ParseDialect
  readonly sql: string
}

const readLines = (name: string): readonly Statement[] =>
  readFileSync(new URL(`../../../../fixtures/guard/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Statement)

/** Queries that mean the same everywhere, so that every dialect has some to be changed. */
const everywhere = [
  'SELECT a, count(*) AS n FROM t WHERE b = 1 GROUP BY a ORDER BY n DESC',
  "SELECT t.a, u.b FROM t JOIN u ON u.id = t.id WHERE t.name = 'x' AND u.n BETWEEN 2 AND 5",
  "WITH big AS (SELECT a, b FROM t WHERE b > 10) SELECT a, CASE WHEN b > 20 THEN 'yes' ELSE 'no' END FROM big",
  'SELECT a FROM t WHERE a IN (SELECT b FROM u WHERE c = 3) UNION ALL SELECT upper(name) FROM v',
  "SELECT round(avg(a), 2), coalesce(max(b), 0) FROM t WHERE name LIKE '%x%' HAVING count(*) > 1",
]

export const harmless: readonly Statement[] = [
  ...readLines('harmless'),
  ...dialectNames.flatMap(dialect => everywhere.map(sql => ({ dialect, sql }))),
]

export const hostile: readonly Statement[] = readLines('hostile')
