import type { Grammar } from '../grammar.ts'
import { trinoGrammar } from './trino.ts'

/** What all three have alike; the forms of Trino alone are left out. */
const common: Grammar = {
  ...trinoGrammar,
  joins: ['JOIN', 'INNER JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN'],
  sources: ["(SELECT 1 AS n, 'a' AS s) AS {alias}"],
  suffixes: [],
  natural: ['NATURAL JOIN'],
  qualify: true,
  lateral: false,
  filter: false,
  renames: false,
  idioms: trinoGrammar.idioms.filter(
    idiom =>
      !/TABLE|MATCH_RECOGNIZE|JSON_QUERY|UNNEST|transform|"\$|\$properties|AUTO|SHOW|DESCRIBE/.test(idiom),
  ),
}

/** BigQuery: https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical, "Case sensitivity". */
export const bigqueryGrammar: Grammar = {
  ...common,
  dialect: 'bigquery',
  quotes: [['`', '`']],
  fold: 'none',
  types: { int: 'INT64', text: 'STRING' },
  concat: (left, right) => `concat(${left}, ${right})`,
  sets: ['UNION ALL', 'UNION DISTINCT', 'EXCEPT DISTINCT', 'INTERSECT DISTINCT'],
  paths: ['shop.', '`shop`.', 'acme.shop.', '`acme.shop`.', 'Shop.'],
  idioms: [
    ...common.idioms,
    'SELECT {c} FROM {T} AS {a}, {a}.{c} AS {b}',
    'SELECT {c} FROM {T}, {t}.{c}',
    'SELECT * EXCEPT ({c}) FROM {T}',
    'SELECT * REPLACE ({c} AS {d}) FROM {T}',
    'SELECT AS STRUCT {c} FROM {T}',
    'SELECT ARRAY(SELECT {c} FROM {T})',
    'SELECT {a}.{c} FROM {T} AS {a} CROSS JOIN UNNEST([1, 2]) AS {b}',
    'FROM {T} |> SELECT {c}',
  ],
}

/** Snowflake: https://docs.snowflake.com/en/sql-reference/identifiers-syntax. */
export const snowflakeGrammar: Grammar = {
  ...common,
  dialect: 'snowflake',
  quotes: [['"', '"']],
  fold: 'unquoted',
  paths: ['PUBLIC.', '"PUBLIC".', 'SHOP.PUBLIC.', 'public.', '"public".'],
  lateral: true,
  idioms: [
    ...common.idioms,
    'SELECT {c} AS {d}, {d} FROM {T}',
    'SELECT {c} AS {d} FROM {T} WHERE {d} IS NOT NULL',
    'SELECT $1 FROM {T}',
    'SELECT * EXCLUDE ({c}) FROM {T}',
    "SELECT * ILIKE '%i%' FROM {T}",
    'SELECT f.value FROM {T} AS {a}, LATERAL FLATTEN(input => {a}.{c}) f',
    "SELECT {c} FROM IDENTIFIER('{t}')",
    "SELECT {c} FROM TABLE('{t}')",
    'SELECT {c} FROM {T} AT (OFFSET => -60)',
  ],
}

/** Redshift: https://docs.aws.amazon.com/redshift/latest/dg/r_names.html. */
export const redshiftGrammar: Grammar = {
  ...common,
  dialect: 'redshift',
  quotes: [['"', '"']],
  fold: 'all',
  paths: ['public.', '"public".', 'PUBLIC.', '{db}.public.'],
  idioms: [
    ...common.idioms,
    'SELECT ({t}).{c} FROM {T}',
    'SELECT {t} FROM {T}',
    'SELECT {c}({a}) FROM {T} AS {a}',
    'SELECT {c} AS {d}, {d} FROM {T}',
    'SELECT * EXCLUDE ({c}) FROM {T}',
    'SELECT {b} FROM {T} AS {a}, {a}.{c} AS {b}',
  ],
}
