/** Sources of a server of which only the server knows the columns; a name is put behind each. */
const sourcesOf: Readonly<Record<string, readonly string[]>> = {
  sqlite: [
    '(VALUES (1))',
    "json_each('[1]')",
    "json_tree('[1]')",
    '(SELECT 1)',
    '(SELECT count(*) FROM orders)',
  ],
  duckdb: [
    '(VALUES (1))',
    'range(1)',
    'generate_series(1, 1)',
    'unnest([1])',
    "json_each('[1]')",
    '(SELECT 1)',
    '(SELECT count(*) FROM orders)',
  ],
}

/**
 * Statements in which a source takes the name of a table further out without having its columns: the server then
 * looks further out.
 */
export const shadowTricks = (server: string): readonly string[] =>
  (sourcesOf[server] ?? []).flatMap(source =>
    [
      ['customers', 'customers', 'email'],
      ['c', 'customers c', 'email'],
      ['customers', 'customers', 'ssn'],
      ['salaries', 'salaries', 'amount'],
    ].flatMap(([name = '', outside = '', column = '']) => {
      const inside = `SELECT ${name}.${column} FROM ${source} AS ${name}`
      return [
        `SELECT (${inside}) FROM ${outside}`,
        `SELECT ${name}.id FROM ${outside} WHERE (${inside}) > 'm'`,
        `SELECT ${name}.id FROM ${outside} WHERE EXISTS (${inside} WHERE ${name}.${column} LIKE '7%')`,
        `SELECT ${name}.id FROM ${outside} ORDER BY (${inside}), ${name}.id`,
        `SELECT count(*) FROM ${outside} GROUP BY (${inside}) ORDER BY 1`,
        `SELECT o.id FROM orders o JOIN ${outside} ON o.id = ${name}.id AND (${inside}) LIKE '%9%'`,
        `SELECT CASE WHEN (${inside}) LIKE '7%' THEN 1 ELSE 0 END FROM ${outside}`,
        `SELECT (SELECT max(x) FROM (${inside}) AS y(x)) FROM ${outside}`,
        `SELECT x.id FROM ${outside} JOIN orders x ON x.id IN (SELECT length(${name}.${column}) FROM ${source} AS ${name})`,
        `SELECT (WITH ${name} AS (SELECT * FROM ${source} AS z) SELECT ${name}.${column} FROM ${name}) FROM ${outside}`,
        `SELECT (SELECT (${inside}) FROM ${source} AS ${name}) FROM ${outside}`,
        `SELECT (SELECT ${column} FROM ${source} AS ${name}) FROM ${outside}`,
      ]
    }),
  )
