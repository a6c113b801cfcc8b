import { describe, expect, test } from 'vitest'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import type { Dialect } from '../../../src/domain/sql.ts'
import { bombs, growing, growingDialects } from './bombs.ts'

const guard = makeGuard({ allowFunctions: ['repeat', 'zeroblob', 'randomblob'] })

const listOf = (byDialect: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(byDialect).flatMap(([dialect, list]) =>
    list.map(sql => ({ dialect: dialect as Dialect, sql })),
  )

/** Each query has twice the columns of the one before it. */
const doubled = (stars: string): string =>
  `WITH c0 AS (SELECT 1 AS a, 2 AS b)${Array.from({ length: 14 }, (_, at) => `, c${at + 1} AS (SELECT *, * FROM c${at})`).join('')} SELECT ${stars} FROM c14`

test.each(['postgres', 'sqlite', 'mysql', 'duckdb'] as const)(
  'refuses on %s to measure columns without end',
  dialect => {
    const verdict = guard(doubled(Array.from({ length: 2000 }, () => '*').join(', ')), dialect)
    expect('reason' in verdict ? verdict.reason : '').toContain('more than 5,000 columns')
  },
)

describe.each(growingDialects)('aggregates of %s that put values together', dialect => {
  test('are refused over a million rows, in groups, sets of groups and windows too', () => {
    for (const sql of growing(dialect, 1_000_000)) {
      const verdict = guard(sql, dialect)
      expect([sql, 'reason' in verdict ? verdict.reason : '']).toEqual([
        sql,
        expect.stringMatching(/more than [\d,]+ (?:characters|rows)/),
      ])
    }
  })

  test('are allowed over a few', () => {
    // How many rows a recursive query gives is a guess, which is too high for groups.
    for (const sql of growing(dialect, 9).filter(one => !/RECURSIVE.*(?:GROUP BY|OVER)/.test(one)))
      expect([sql, guard(sql, dialect)]).toMatchObject([sql, { verdict: 'allow' }])
  })
})

test.each(['collect_list', 'collect_set', 'string_agg'])('%s of Spark counts', name => {
  const over = (from: string) => guard(`SELECT ${name}(rpad(a.name, 900, 'x')) FROM ${from}`, 'spark').verdict
  expect(over('pets AS a')).toBe('allow')
  expect(over('pets AS a CROSS JOIN pets AS b CROSS JOIN pets AS c')).toBe('refuse')
})

test.each([
  ['duckdb', 'approx_top_k(name, N)'],
  ['snowflake', 'approx_top_k(name, N)'],
  ['trino', 'approx_most_frequent(3, name, N)'],
  ['trino', 'numeric_histogram(N, weight)'],
  ['spark', 'histogram_numeric(weight, N)'],
  ['bigquery', 'approx_quantiles(weight, N)'],
] as const)('an aggregate of %s keeps as many values as it is told: %s', (dialect, call) => {
  const keeping = (count: number) =>
    guard(`SELECT ${call.replace('N', String(count))} FROM pets`, dialect).verdict
  expect([keeping(100), keeping(900_000)]).toEqual(['allow', 'refuse'])
})

test.each([
  "SELECT string_agg(rpad(i::text, 1000), '') FROM (SELECT generate_series(1, 1000000) AS i) AS s",
  "SELECT string_agg(x, '') FROM (SELECT unnest(array_agg(rpad(i::text, 1000))) AS x FROM generate_series(1, 1000) AS s (i)) AS t, generate_series(1, 1000) AS u (j)",
  'SELECT json_array(SELECT rpad(i::text, 1000) FROM generate_series(1, 1000000) AS s (i))',
  "SELECT string_agg(x, '') FROM (SELECT 'x' AS x FROM generate_series(1, 100000) AS i GROUP BY CUBE (i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7, i + 8, i + 9)) AS t",
])('rows that are made in other ways count: %s', sql => {
  expect(guard(sql, 'postgres')).toMatchObject({ verdict: 'refuse' })
})

const large = "concat(repeat('x', 9000), repeat('x', 9000))"

/** Names that are nearly others, and conditions that hold for other rows or columns than they seem to. */
const mistakable: Readonly<Record<string, readonly string[]>> = {
  postgres: [
    `WITH "T" AS (SELECT ${large} AS x FROM generate_series(1, 9000)), t AS (SELECT 'x' AS x) SELECT string_agg(x, '') FROM "T"`,
    `WITH t AS (SELECT ${large} AS x FROM generate_series(1, 9000)), "T" AS (SELECT 'x' AS x) SELECT string_agg(x, '') FROM t`,
    `SELECT string_agg(x, '') FROM (WITH "T" AS (SELECT 'x' AS x), t AS (SELECT ${large} AS x FROM generate_series(1, 9000)) SELECT x FROM t) AS y`,
    "SELECT lpad('x', n) FROM generate_series(1000000000, 1000000000) AS g (n) LEFT JOIN (SELECT 1) AS b ON n < 5",
    "SELECT lpad('x', b.n) FROM (SELECT 5 AS n) AS a, (SELECT 1000000000 AS n) AS b WHERE a.n < 10",
    `SELECT lpad('x', "N") FROM (SELECT 5 AS n, 1000000000 AS "N") AS a WHERE n < 10`,
  ],
  mysql: [
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000), \`caf\u00e9\` AS (SELECT ${large} AS x FROM n) SELECT json_arrayagg(x) FROM \`cafe\``,
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000), T AS (SELECT ${large} AS x FROM n), t AS (SELECT 'x' AS x) SELECT json_arrayagg(x) FROM T`,
  ],
  duckdb: [
    "SELECT rpad('x', n, 'y') FROM (SELECT 1000000000 AS n) AS g LEFT JOIN (SELECT 1 AS m) AS b ON n < 5",
  ],
}

describe('what a name or a condition only seems to bound is refused', () => {
  test.each(listOf(mistakable))('on $dialect: $sql', ({ dialect, sql }) => {
    expect(guard(sql, dialect)).toMatchObject({ verdict: 'refuse' })
  })
})

/** What people and models write, close to what is refused. */
const harmless: Readonly<Record<string, readonly string[]>> = {
  postgres: [
    `SELECT replace(replace(replace(replace(replace(note, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;'), '''', '&#39;') FROM pets`,
    "SELECT replace(replace(replace(replace(replace(replace(replace(phone, '-', ''), ' ', ''), '(', ''), ')', ''), '+', ''), '.', ''), '/', '') FROM pets",
    "SELECT regexp_replace(regexp_replace(lower(name), '[^a-z0-9]+', '-', 'g'), '(^-|-$)', '', 'g') FROM pets",
    "WITH RECURSIVE tree AS (SELECT id, name::text AS path, 1 AS depth FROM pets WHERE parent IS NULL UNION ALL SELECT p.id, tree.path || ' > ' || p.name, depth + 1 FROM pets p JOIN tree ON p.parent = tree.id) SELECT path, depth FROM tree ORDER BY path",
    'WITH RECURSIVE tree AS (SELECT id, ARRAY[id] AS path FROM pets UNION ALL SELECT p.id, path || p.id FROM pets p JOIN tree ON p.parent = tree.id WHERE NOT p.id = ANY(path)) SELECT * FROM tree',
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT repeat('*', i) FROM n",
    "SELECT owner, string_agg(name, ', ' ORDER BY name) FROM pets GROUP BY owner",
    "SELECT string_agg(concat_ws(', ', a, b, c, d, e, f, g, h), ' | ') FROM pets",
    "SELECT json_agg(json_build_object('owner', o.name, 'pets', (SELECT json_agg(json_build_object('name', p.name)) FROM pets p WHERE p.owner = o.id))) FROM owners o",
    "WITH x AS (SELECT owner, string_agg(name, ', ') AS names FROM pets GROUP BY owner) SELECT string_agg(owner || ': ' || names, '; ') FROM x",
    "SELECT lpad(id::text, 10 - 2, '0'), rpad(name, 20), lpad('', least(n, 40), '*') FROM pets",
    "SELECT rpad(name, length(name) + 5, '.') FROM pets",
    "SELECT d::date, count(p.id) FROM generate_series('2024-01-01'::date, '2026-12-31', '1 day') d LEFT JOIN pets p ON p.born = d GROUP BY 1 ORDER BY 1",
    'SELECT count(*) FROM generate_series(1600000000, 1600003600) s',
    `SELECT format('%s was born in the year 2024: %s * %s', name, a, b), format('{"a": {"b": %s}}', a) FROM pets`,
    "SELECT to_char(born, 'FMDay, DD Month YYYY'), array_to_string(array_agg(DISTINCT kind), ', ') FROM pets GROUP BY 1",
    "SELECT array_to_string(ARRAY(SELECT name FROM pets ORDER BY name), ', ')",
    'SELECT name::char(20), code::bit(8) FROM pets',
    'SELECT jsonb_pretty(jsonb_agg(p)) FROM pets p',
    "SELECT string_agg(round(power(weight, 2), 2)::text, ',') FROM pets",
    "SELECT owner, kind, string_agg(name, ', ') FROM pets GROUP BY ROLLUP (owner, kind)",
    "SELECT m, json_agg(json_build_object('name', p.name, 'kind', p.kind)) FROM generate_series(1, 12) AS m LEFT JOIN pets AS p ON extract(month FROM p.born) = m GROUP BY m",
    "SELECT d::date, json_agg(json_build_object('a', p.a, 'b', p.b, 'c', p.c, 'd', p.d, 'e', p.e, 'f', p.f, 'g', p.g, 'h', p.h)) FROM generate_series('2024-01-01'::date, '2026-12-31', '1 day') AS d LEFT JOIN pets AS p ON p.born = d GROUP BY 1",
    "SELECT string_agg(tag, ', ') FROM (SELECT unnest(tags) AS tag FROM pets) AS t",
    "SELECT string_agg(tag, ', ') FROM pets, unnest(string_to_array(tags, ',')) AS tag",
    "SELECT array_agg(x) FROM pets, jsonb_array_elements(doc -> 'a') AS x GROUP BY pets.id",
    "SELECT string_agg(e.key, ', ') FROM pets CROSS JOIN LATERAL jsonb_each(doc) AS e",
  ],
  sqlite: [
    "SELECT strftime('%Y', born) || printf('-%02d-01', (CAST(strftime('%m', born) AS INTEGER) - 1) / 3 * 3 + 1) FROM pets",
    "WITH RECURSIVE d(day) AS (SELECT '2024-01-01' UNION ALL SELECT date(day, '+1 day') FROM d WHERE day < '2026-12-31') SELECT day, count(id) FROM d LEFT JOIN pets ON born = day GROUP BY day",
    "WITH RECURSIVE tree(id, path) AS (SELECT id, name FROM pets UNION ALL SELECT p.id, path || '/' || p.name FROM pets p JOIN tree ON p.parent = tree.id) SELECT * FROM tree",
    "SELECT group_concat(name, ', '), json_group_array(json_object('name', name, 'kind', kind)) FROM pets",
    "SELECT printf('%,.2f', sum(weight)), substr(printf('%05d', id), 1, 3) FROM pets",
    "SELECT substr('**********', 1, n) FROM pets",
    'SELECT group_concat(value) FROM pets, json_each(pets.tags)',
  ],
  mysql: [
    "SELECT GROUP_CONCAT(DISTINCT name ORDER BY name SEPARATOR ', ') FROM pets GROUP BY owner",
    "SELECT LPAD(id, 8, '0'), CONCAT(SPACE(4), name), FORMAT(weight, 2) FROM pets",
    "SELECT JSON_ARRAYAGG(JSON_OBJECT('name', name, 'kind', kind)) FROM pets",
    "SELECT REGEXP_REPLACE(REGEXP_REPLACE(name, '[^a-z]', ' '), ' +', ' ') FROM pets",
    "WITH RECURSIVE tree AS (SELECT id, CAST(name AS CHAR(500)) AS path FROM pets UNION ALL SELECT p.id, CONCAT(path, ' > ', p.name) FROM pets p JOIN tree ON p.parent = tree.id) SELECT * FROM tree",
    "SELECT CAST(name AS CHAR(100)), SUBSTRING_INDEX(mail, '@', -1) FROM pets",
  ],
  bigquery: [
    'SELECT string_agg(tag) FROM pets, UNNEST(tags) AS tag',
    "SELECT owner, array_agg(tag) FROM pets, UNNEST(split(tags, ',')) AS tag GROUP BY owner",
  ],
  trino: [
    "SELECT array_join(array_agg(tag), ',') FROM pets CROSS JOIN UNNEST(split(tags, ',')) AS t (tag)",
    "SELECT d, array_agg(p.name) FROM UNNEST(sequence(date '2024-01-01', date '2026-12-31')) AS t (d) LEFT JOIN pets AS p ON p.born = d GROUP BY d",
  ],
  snowflake: ["SELECT listagg(f.value, ',') FROM pets, LATERAL FLATTEN(input => tags) AS f"],
  clickhouse: ['SELECT groupArray(tag) FROM pets ARRAY JOIN tags AS tag'],
  duckdb: [
    'SELECT list_transform(tags, x -> upper(x)), list_filter(tags, x -> length(x) > 3) FROM pets',
    'SELECT list_reduce(weights, (a, b) -> a + b) FROM pets',
    'SELECT [upper(x) FOR x IN tags IF length(x) > 2] FROM pets',
    "SELECT string_agg(name, ', ' ORDER BY name), list(DISTINCT kind) FROM pets GROUP BY owner",
    "SELECT format('{} costs {:.2f} in 2024', name, price), format('{{{}}}', name), printf('%05d', id) FROM pets",
    "SELECT name.upper().replace('A', 'b'), label.left(3) FROM pets",
    "SELECT range::date, count(*) FROM range(DATE '2024-01-01', DATE '2026-12-31', INTERVAL 1 DAY) GROUP BY 1 ORDER BY 1",
    "SELECT first_name || ' ' || last_name AS full_name, full_name || '!' AS loud FROM pets",
    "SELECT array_to_string(list_sort(list_distinct(string_split(tags, ','))), ', ') FROM pets",
    "SELECT histogram(kind), list_aggregate(weights, 'sum') FROM pets",
    'SELECT max(name, 3), arg_max(name, weight, 5), kind.list() FROM pets GROUP BY owner',
    "SELECT string_agg(tag, ', ') FROM (SELECT unnest(tags) AS tag FROM pets)",
  ],
}

test('there are more than a hundred bombs, in four dialects', () => {
  const all = listOf(bombs)
  expect(Object.keys(bombs)).toHaveLength(4)
  expect(all.length).toBeGreaterThan(100)
  expect(new Set(all.map(({ dialect, sql }) => dialect + sql)).size).toBe(all.length)
})

describe('what makes much out of little is refused', () => {
  test.each(listOf(bombs))('on $dialect: $sql', ({ dialect, sql }) => {
    const verdict = guard(sql, dialect)
    expect(verdict.verdict).toBe('refuse')
    expect('reason' in verdict ? verdict.reason : '').toMatch(
      /^it calls (?:\S+|a list comprehension) (?:for (?:a value of )?more than|with a (?:number|width|format)|in a way)|^it (?:makes|sorts|fills)|^its recursive/,
    )
  })
})

describe('what only looks like it is allowed', () => {
  test.each(listOf(harmless))('on $dialect: $sql', ({ dialect, sql }) => {
    expect(guard(sql, dialect)).toMatchObject({ verdict: 'allow' })
  })
})
