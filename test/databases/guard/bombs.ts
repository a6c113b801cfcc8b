import type { Dialect } from '../../../src/domain/sql.ts'

// Short statements that make much out of little: each would take hundreds of megabytes if nothing stopped it.

/** `wrap(wrap(...))`, so many times. */
const nest = (times: number, inside: string, wrap: (inside: string) => string): string =>
  times === 0 ? inside : nest(times - 1, wrap(inside), wrap)

/** A chain of queries in WITH, each made from the one before. */
const chain = (times: number, first: string, next: (before: string) => string, last = 'length(x)'): string =>
  `WITH t0 AS (SELECT ${first} AS x)${Array.from(
    { length: times },
    (_, at) => `, t${at + 1} AS (SELECT ${next(`t${at}.x`)} AS x FROM t${at})`,
  ).join('')} SELECT ${last} FROM t${times}`

const a50 = `'${'a'.repeat(50)}'`

const a1000 = `'${'a'.repeat(1000)}'`

const doubled = (x: string): string => `replace(${x}, 'a', 'aa')`

const tenfold = (x: string): string => `replace(${x}, 'a', 'aaaaaaaaaa')`

const concatenated = (x: string): string => `concat(${x}, ${x})`

const piped = (x: string): string => `${x} || ${x}`

/** What every dialect understands. */
const everywhere: readonly string[] = [
  `SELECT length(${nest(9, a50, tenfold)})`,
  `SELECT length(${nest(28, a50, doubled)})`,
  `SELECT length(replace(replace(replace(${a1000}, 'a', ${a1000}), 'a', ${a1000}), 'a', ${a1000}))`,
  `SELECT max(length(replace(replace(name, 'a', ${a1000}), 'a', ${a1000}))) FROM pets`,
  chain(26, a50, doubled),
  chain(26, a50, concatenated),
  chain(9, a50, tenfold),
  `SELECT length(x) FROM (SELECT ${nest(9, a50, tenfold)} AS x) AS t`,
  `SELECT (SELECT length(${nest(9, a50, tenfold)}))`,
  `SELECT name FROM pets WHERE name = ${nest(9, a50, tenfold)}`,
  `SELECT name FROM pets ORDER BY ${nest(9, a50, tenfold)}`,
  `SELECT count(*) FROM pets GROUP BY ${nest(9, 'name', tenfold)}`,
  `SELECT CASE WHEN name = 'b' THEN 'x' ELSE ${nest(9, 'name', tenfold)} END FROM pets`,
  `SELECT coalesce(NULL, ${nest(9, a50, tenfold)})`,
  `SELECT upper(lower(trim(${nest(9, a50, tenfold)})))`,
  `WITH RECURSIVE t(x, n) AS (SELECT CAST(${a50} AS char(50)), 1 UNION ALL SELECT concat(x, x), n + 1 FROM t WHERE n < 40) SELECT max(length(x)) FROM t`,
  `WITH RECURSIVE t(x, n) AS (SELECT CAST(${a50} AS char(50)), 1 UNION ALL SELECT replace(x, 'a', 'aaa'), n + 1 FROM t WHERE n < 30) SELECT max(length(x)) FROM t`,
  `WITH RECURSIVE t(x, y, n) AS (SELECT CAST('a' AS char(50)), CAST('b' AS char(50)), 1 UNION ALL SELECT concat(x, y), concat(y, x), n + 1 FROM t WHERE n < 40) SELECT max(length(x)) FROM t`,
]

const postgres: readonly string[] = [
  ...everywhere,
  chain(26, a50, piped),
  "SELECT length(lpad('x', 1000000000))",
  "SELECT length(lpad('x', 10 ^ 9))",
  "SELECT length(rpad('x', (SELECT 1000000000)))",
  "SELECT length(lpad('x', id * 100000000)) FROM pets",
  "SELECT length(format('%999s', format('%2$s%2$s%2$s%2$s', 'x', repeat('x', 100000000))))",
  "SELECT length(format('%1000000s', 'x'))",
  "SELECT length(regexp_replace(repeat('a', 10000), '', repeat('b', 10000), 'g'))",
  `SELECT length(${nest(26, a50, x => `regexp_replace(${x}, '(.*)', '\\1\\1', 'g')`)})`,
  "SELECT length(string_agg(rpad('x', 1000), '')) FROM generate_series(1, 1000000)",
  "SELECT cardinality(array_agg(rpad('x', 1000))) FROM generate_series(1, 5000000)",
  "SELECT length(json_agg(rpad('x', 1000))::text) FROM generate_series(1, 1000000)",
  "SELECT length(jsonb_agg(rpad('x', 1000))::text) FROM generate_series(1, 1000000)",
  "SELECT cardinality(ARRAY(SELECT rpad('x', 1000) FROM generate_series(1, 5000000)))",
  'SELECT cardinality(array_agg(a)) FROM generate_series(1, 10000) a, generate_series(1, 10000) b',
  'SELECT length(json_object_agg(a, a)::text) FROM generate_series(1, 10000000) a, generate_series(1, 10) b',
  `SELECT length(jsonb_pretty('${'['.repeat(6000)}${']'.repeat(6000)}'))`,
  `SELECT length(jsonb_path_query_array('${'['.repeat(3000)}${']'.repeat(3000)}', '$.**.**')::text)`,
  "SELECT length('x'::char(10000000))",
  "SELECT length(('1'::bit(80000000))::text)",
  chain(28, 'ARRAY[1]', piped, 'cardinality(x)'),
  'WITH RECURSIVE t(x, n) AS (SELECT ARRAY[1], 1 UNION ALL SELECT x || x, n + 1 FROM t WHERE n < 30) SELECT max(cardinality(x)) FROM t',
  "SELECT length(replace((1e131000::numeric)::text, '0', repeat('x', 10000)))",
  'SELECT count(*) FROM (SELECT DISTINCT rpad(a::text, 1000) FROM generate_series(1, 10000000) a) t',
  'SELECT a FROM generate_series(1, 10000000) a ORDER BY rpad(a::text, 1000), rpad(a::text, 1001)',
  'SELECT count(*) FROM generate_series(1, 1000000000)',
  `SELECT length(ts_headline(repeat('word ', 10000), to_tsquery('word'), 'StartSel=${'x'.repeat(1000)}, HighlightAll=true'))`,
  `SELECT length(${nest(30, "'\"'", x => `to_json(${x})::text`)})`,
  `SELECT length(${nest(26, a50, x => `quote_literal(${x})`)})`,
  `SELECT length(${nest(26, a50, x => `encode(convert_to(${x}, 'UTF8'), 'hex')`)})`,
  `SELECT length(array_to_string(string_to_array(rpad('x', 10000), NULL), rpad('y', 10000)))`,
  `SELECT length(concat_ws(${nest(6, a50, tenfold)}, ${Array.from({ length: 60 }, () => "'x'").join(', ')}))`,
]

const sqlite: readonly string[] = [
  ...everywhere,
  chain(26, a50, piped),
  "SELECT length(printf('%.1000000000c', 'x'))",
  "SELECT length(printf('%1000000000d', 1))",
  "SELECT length(printf('%*d', 1000000000, 1))",
  "SELECT length(format('%.*c', 1000000000, 'x'))",
  "SELECT length(printf(name || '%999999999d', 1)) FROM pets",
  'SELECT length(zeroblob(1000000000))',
  'SELECT length(hex(zeroblob(500000000)))',
  'SELECT length(hex(randomblob(500000000)))',
  'SELECT length(quote(zeroblob(30000000)))',
  `SELECT length(${nest(26, a50, x => `hex(${x})`)})`,
  `SELECT length(${nest(26, "''''", x => `quote(${x})`)})`,
  `SELECT length(${nest(14, `'${'"'.repeat(1000)}'`, x => `json_quote(${x} || '')`)})`,
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) SELECT length(group_concat(printf('%0999d', i))) FROM n",
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) SELECT length(json_group_array(printf('%0999d', i))) FROM n",
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) SELECT length(json_group_object(i, printf('%0999d', i))) FROM n",
  "WITH n(i, x) AS (SELECT 1, 'a' UNION ALL SELECT i + 1, x || x FROM n WHERE i < 40) SELECT max(length(x)) FROM n",
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) SELECT i FROM n ORDER BY printf('%0999d', i)",
  "SELECT length(replace(hex(zeroblob(10000)), '0', hex(zeroblob(10000))))",
  `SELECT length(json_array(${Array.from({ length: 60 }, () => nest(6, a50, tenfold)).join(', ')}))`,
]

const mysql: readonly string[] = [
  ...everywhere,
  "SELECT length(repeat('x', 1000000000))",
  "SELECT length(lpad('x', 1000000000, 'y'))",
  "SELECT length(rpad('x', 10 * 100000000, 'y'))",
  'SELECT length(space(1000000000))',
  'SELECT length(space(id * 100000000)) FROM pets',
  "SELECT length(CAST('x' AS BINARY(1000000000)))",
  `SELECT length(${nest(26, a50, x => `hex(${x})`)})`,
  `SELECT length(${nest(26, a1000, x => `to_base64(${x})`)})`,
  `SELECT length(${nest(26, "''''", x => `quote(${x})`)})`,
  `SELECT length(export_set(18446744073709551615, ${nest(8, a50, tenfold)}, 'n', ',', 64))`,
  `SELECT length(concat_ws(${nest(6, a50, tenfold)}, ${Array.from({ length: 60 }, () => "'x'").join(', ')}))`,
  `SELECT length(${nest(20, a50, x => `regexp_replace(${x}, 'a', 'aaaa')`)})`,
  `SELECT length(${nest(26, a50, x => `json_quote(${x})`)})`,
  "SELECT length(json_arrayagg(rpad('x', 10000, 'y'))) FROM pets a, pets b, pets c, pets d, pets e, pets f, pets g",
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT length(json_arrayagg(rpad('x', 10000, 'y'))) FROM n a, n b",
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT a.i FROM n a, n b ORDER BY rpad(a.i, 10000, 'y')",
]

const duckdb: readonly string[] = [
  ...everywhere,
  chain(26, a50, piped),
  "SELECT length(format('{:>{}}', 'x', 1000000000))",
  "SELECT length(format('{:>1000000000}', 'x'))",
  "SELECT length(format('{:.{}f}', 1.5, 100000000))",
  "SELECT length(printf('%1000000000d', 1))",
  "SELECT length(printf('%*d', 1000000000, 1))",
  "SELECT length(lpad('x', 1000000000, 'y'))",
  "SELECT length(repeat('x', 1000000000))",
  "SELECT length(('x').lpad(1000000000, 'y'))",
  "SELECT length(('%1000000000d').printf(1))",
  `SELECT length(${nest(9, a50, x => `(${x}).replace('a', 'aaaaaaaaaa')`)})`,
  "SELECT len(list_transform(range(1000000), x -> lpad('x', 1000, 'y')))",
  "SELECT len([lpad('x', 1000, 'y') for x in range(1000000)])",
  "SELECT length(list_reduce(range(40)::varchar[], (a, b) -> a || a, 'aaaa'))",
  "SELECT length(list_reduce(['aaaa', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a'], (a, b) -> a || a))",
  "SELECT length(string_agg(lpad('x', 1000, 'y'), '')) FROM range(1000000)",
  "SELECT len(list(lpad('x', 1000, 'y'))) FROM range(5000000)",
  "SELECT length(to_json(array_agg(lpad('x', 1000, 'y')))) FROM range(1000000)",
  'SELECT len(range(1000000000))',
  'SELECT len(flatten([range(10000000), range(10000000), range(10000000)]))',
  'SELECT len(list_transform(range(10000), x -> range(10000)))',
  "SELECT length(array_to_string(range(1000000), lpad('x', 1000, 'y')))",
  "SELECT damerau_levenshtein(lpad('x', 10000, 'y'), lpad('z', 10000, 'w'))",
  `SELECT 'aaaaaaaa' AS a, ${Array.from(
    { length: 25 },
    (_, at) =>
      `${String.fromCharCode(97 + at)}x || ${String.fromCharCode(97 + at)}x AS ${String.fromCharCode(98 + at)}x`,
  )
    .join(', ')
    .replace('ax || ax', 'a || a')}`,
  "SELECT DISTINCT lpad(range::varchar, 1000, 'y') FROM range(10000000)",
  "SELECT range FROM range(10000000) ORDER BY lpad(range::varchar, 1000, 'y')",
  "SELECT length(regexp_replace(lpad('a', 10000, 'a'), 'a', lpad('b', 10000, 'b'), 'g'))",
  `SELECT length(${nest(26, a50, x => `hex(${x})`)})`,
  `SELECT length(${nest(9, a50, x => `replace(url_encode(replace(${x}, 'a', '%')), '%25', 'aaaaaaaa')`)})`,
  chain(28, '[1]', piped, 'len(x)'),
  "SELECT length(list_aggregate(list_transform(range(1000000), x -> 'aaaa'), 'string_agg', lpad('x', 1000, 'y')))",
  'SELECT len(approx_top_k(range, 900000)) FROM range(9)',
  'SELECT len(map_keys(histogram(a.range * 10000 + b.range))) FROM range(10000) a, range(10000) b',
]

/** Bombs by the dialect that they are written in. */
export const bombs = { postgres, sqlite, mysql, duckdb } as const satisfies Readonly<
  Record<Dialect, readonly string[]>
>

/** How a dialect makes rows with a number `i`, and values of them; and what puts values of all rows together. */
interface Growth {
  readonly before?: (rows: number) => string
  readonly rows: (rows: number) => string
  readonly value: string
  readonly aggregates: readonly string[]
  readonly sets: readonly string[]
}

const counted = (rows: number): string =>
  `WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ${rows}) `

const rollups = ['ROLLUP (i % 2)', 'CUBE (i % 2, i % 3)', 'GROUPING SETS ((i % 2), ())']

const growths: Readonly<Partial<Record<Dialect, Growth>>> = {
  postgres: {
    rows: rows => `generate_series(1, ${rows}) AS s (i)`,
    value: 'rpad(CAST(i AS text), 1000)',
    aggregates: [
      "string_agg(V, ',')",
      "string_agg(DISTINCT V, ',')",
      "string_agg(V, ',' ORDER BY i DESC)",
      'array_agg(V)',
      'array_agg(DISTINCT V)',
      'array_agg(ARRAY[V]) FILTER (WHERE i > 1)',
      'json_agg(V)',
      'jsonb_agg(V ORDER BY i)',
      'json_object_agg(i, V)',
      'jsonb_object_agg(i, V)',
    ],
    sets: rollups,
  },
  duckdb: {
    rows: rows => `range(${rows}) AS s (i)`,
    value: "rpad(CAST(i AS VARCHAR), 1000, 'x')",
    aggregates: [
      "string_agg(V, ',')",
      'group_concat(V)',
      'list(V)',
      'list(DISTINCT V)',
      'array_agg(V ORDER BY i)',
      'histogram(V)',
      'json_group_array(V)',
      'json_group_object(i, V)',
      'max(V, 900000)',
      'min(V, 900000)',
      'arg_max(V, i, 900000)',
      'min_by(V, i, 900000)',
      'V.list()',
      "V.string_agg(',')",
    ],
    sets: rollups,
  },
  sqlite: {
    before: counted,
    rows: () => 's',
    value: "printf('%999d', i)",
    aggregates: [
      "group_concat(V, ',')",
      'group_concat(DISTINCT V)',
      "string_agg(V, ',')",
      'json_group_array(V)',
      'json_group_object(i, V)',
    ],
    sets: [],
  },
  mysql: {
    before: counted,
    rows: () => 's',
    value: "rpad(i, 1000, 'x')",
    aggregates: ['json_arrayagg(V)', 'json_objectagg(i, V)'],
    sets: ['i % 2 WITH ROLLUP'],
  },
  clickhouse: {
    rows: rows => `(SELECT arrayJoin(range(${rows})) AS i) AS s`,
    value: "leftPad(toString(i), 1000, 'x')",
    aggregates: ['groupArray(V)', 'groupUniqArray(V)', 'sumMap([V], [1])', 'sumMap(map(V, 1))'],
    sets: rollups,
  },
  trino: {
    rows: rows => `UNNEST(sequence(1, ${rows})) AS s (i)`,
    value: "rpad(CAST(i AS varchar), 1000, 'x')",
    aggregates: [
      'array_agg(V)',
      'array_agg(DISTINCT V ORDER BY V)',
      'listagg(V) WITHIN GROUP (ORDER BY V)',
      'histogram(V)',
      'map_agg(i, V)',
      'multimap_agg(i, V)',
      'map_union(MAP(ARRAY[i], ARRAY[V]))',
      'max(V, 900000)',
      'min_by(V, i, 900000)',
    ],
    sets: rollups,
  },
  snowflake: {
    before: counted,
    rows: () => 's',
    value: "rpad(i, 1000, 'x')",
    aggregates: [
      'array_agg(V)',
      'array_unique_agg(V)',
      'array_union_agg([V])',
      'object_agg(i, V)',
      "listagg(V, ',')",
    ],
    sets: rollups,
  },
  bigquery: {
    rows: rows => `UNNEST(generate_array(1, ${rows})) AS i`,
    value: "rpad(CAST(i AS string), 1000, 'x')",
    aggregates: ['array_agg(V)', 'array_agg(DISTINCT V)', 'string_agg(V)'],
    sets: rollups,
  },
  redshift: {
    before: counted,
    rows: () => 's',
    value: "rpad(i, 1000, 'x')",
    aggregates: ["listagg(V, ',')", "listagg(DISTINCT V, ',')"],
    sets: rollups,
  },
}

/** Each aggregate of a dialect that grows with its rows, over so many rows, in each place where it can stand. */
export const growing = (dialect: Dialect, rows: number): readonly string[] => {
  const growth = growths[dialect]
  if (growth === undefined) return []
  const from = growth.rows(rows)
  const first = growth.before?.(rows) ?? ''
  return growth.aggregates.flatMap(aggregate => {
    const made = aggregate.replaceAll('V', growth.value)
    const canBeWindow = !/DISTINCT|ORDER BY|FILTER|json_(?:array|object)agg|json_group|listagg|\.\w+\(/.test(
      aggregate,
    )
    return [
      `SELECT ${made} AS a FROM ${from}`,
      `SELECT i % 2, ${made} AS a FROM ${from} GROUP BY i % 2`,
      `SELECT count(*) FROM (SELECT ${made} AS a FROM ${from} GROUP BY i % 3) AS q`,
      `SELECT pets.id, ${made} AS a FROM ${from} CROSS JOIN pets GROUP BY pets.id`,
      `SELECT pets.id, ${made} AS a FROM ${from} LEFT JOIN pets ON pets.id = i GROUP BY pets.id`,
      ...(canBeWindow ? [`SELECT ${made} OVER (PARTITION BY i % 2) AS a FROM ${from}`] : []),
      ...growth.sets.map(set => `SELECT ${made} AS a FROM ${from} GROUP BY ${set}`),
    ].map(sql => first + sql)
  })
}

/** The dialects whose aggregates are tried. */
export const growingDialects = Object.keys(growths) as readonly Dialect[]
