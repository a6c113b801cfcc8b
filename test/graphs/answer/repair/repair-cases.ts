import type { SqlErrorClass } from '../../../../src/domain/errors.ts'
import type { Dialect } from '../../../../src/domain/sql.ts'

/** A statement that goes wrong on some databases, how it does, and the rows that it was meant to give. */
export interface RepairCase {
  readonly title: string
  readonly sql: string
  /** What is wrong on each; it runs as it is, or is nobody's case, where none is named. */
  readonly on: Readonly<Partial<Record<Dialect, SqlErrorClass>>>
  /** Cells as texts; numbers without needless zeros. */
  readonly rows: readonly (readonly string[])[]
  readonly question?: string
}

/** The workshop in each dialect: keys, a number kept as text, a boolean, and days (texts in SQLite). */
export const workshopDdl = (dialect: Dialect): readonly string[] => {
  const text = dialect === 'mysql' ? 'varchar(40)' : 'text'
  const day = dialect === 'sqlite' ? 'text' : 'date'
  return [
    `create table studios (studio_id integer primary key, title ${text}, region ${text})`,
    `create table makers (maker_id integer primary key, full_name ${text}, city ${text}, studio_id integer, born ${day},
       foreign key (studio_id) references studios (studio_id))`,
    `create table pieces (piece_id integer primary key, maker_id integer, glaze ${text}, price_code ${text}, fired ${day},
       weight double precision, is_sold boolean, foreign key (maker_id) references makers (maker_id))`,
    `insert into studios values (1, 'North Quay', 'West'), (2, 'Mill Lane', 'East')`,
    `insert into makers values (1, 'Ada', 'Bergen', 1, '1980-03-01'), (2, 'Bo', 'Aarhus', 1, '1990-07-15'),
       (3, 'Cy', 'Bergen', 2, '1975-12-24')`,
    `insert into pieces values (1, 1, 'Celadon', '100', '2024-01-10', 1.256, true), (2, 1, 'Tenmoku', '20', '2024-02-11', 2.5, false),
       (3, 2, 'Celadon', '100', '2025-02-20', 0.75, true), (4, 3, 'Shino', '7', '2025-06-30', 4.0, false)`,
  ]
}

const all = (errorClass: SqlErrorClass) => ({
  sqlite: errorClass,
  postgres: errorClass,
  mysql: errorClass,
  duckdb: errorClass,
})

export const repairCases: readonly RepairCase[] = [
  {
    title: 'a table that was forgotten in the FROM, one key away',
    sql: "SELECT full_name FROM makers WHERE studios.title = 'Mill Lane'",
    on: {
      sqlite: 'unknown-column',
      postgres: 'unknown-table',
      mysql: 'unknown-column',
      duckdb: 'unknown-table',
    },
    rows: [['Cy']],
  },
  {
    title: 'a column of a table one key away, and a bare column that both have',
    sql: "SELECT full_name, studio_id, region FROM makers WHERE region = 'East'",
    on: all('unknown-column'),
    rows: [['Cy', '2', 'East']],
  },
  {
    title: 'a column that stands under the wrong table',
    sql: "SELECT p.full_name FROM pieces p JOIN makers m ON m.maker_id = p.maker_id WHERE p.glaze = 'Shino'",
    on: all('unknown-column'),
    rows: [['Cy']],
  },
  {
    title: 'two SELECTs that mean two things by one name',
    sql: "SELECT full_nam FROM makers WHERE maker_id IN (SELECT maker_id FROM pieces WHERE glaz = 'Shino')",
    on: all('unknown-column'),
    rows: [['Cy']],
  },
  {
    title: 'an ambiguous column of tables that are joined on it, beside a subquery',
    sql: `SELECT maker_id, count(*) FROM makers JOIN pieces ON pieces.maker_id = makers.maker_id
      WHERE maker_id NOT IN (SELECT maker_id FROM pieces WHERE glaze = 'Shino') GROUP BY maker_id ORDER BY maker_id`,
    on: all('ambiguous-column'),
    rows: [
      ['1', '2'],
      ['2', '1'],
    ],
  },
  {
    title: 'an order by a count that was given no name',
    sql: 'SELECT city, count(*) FROM makers GROUP BY city ORDER BY number_of_makers DESC LIMIT 1',
    on: all('unknown-column'),
    rows: [['Bergen', '2']],
  },
  {
    title: 'a name of the SELECT list in HAVING',
    sql: 'SELECT city, count(*) AS n FROM makers GROUP BY city HAVING n > 1',
    on: { postgres: 'unknown-column' },
    rows: [['Bergen', '2']],
  },
  {
    title: 'a column that is missing in GROUP BY',
    sql: `SELECT s.title, s.region, count(*) FROM makers m JOIN studios s ON s.studio_id = m.studio_id
      GROUP BY s.title ORDER BY s.title`,
    on: { postgres: 'aggregation', duckdb: 'aggregation' },
    rows: [
      ['Mill Lane', 'East', '1'],
      ['North Quay', 'West', '2'],
    ],
  },
  {
    title: 'a GROUP BY that is missing altogether',
    sql: 'SELECT city, count(*) FROM makers ORDER BY count(*) DESC, city',
    on: { postgres: 'aggregation', duckdb: 'aggregation' },
    rows: [
      ['Bergen', '2'],
      ['Aarhus', '1'],
    ],
  },
  {
    title: 'an order by an aggregate without GROUP BY',
    sql: 'SELECT city FROM makers ORDER BY count(*) DESC LIMIT 1',
    on: { sqlite: 'aggregation', postgres: 'aggregation', duckdb: 'aggregation' },
    rows: [['Bergen']],
  },
  {
    title: 'the row of the highest value',
    sql: 'SELECT glaze, max(weight) FROM pieces',
    on: { postgres: 'aggregation', duckdb: 'aggregation' },
    rows: [['Shino', '4']],
  },
  {
    title: 'an order of one row of aggregates',
    sql: 'SELECT count(*) FROM pieces ORDER BY fired',
    on: { postgres: 'aggregation', duckdb: 'aggregation' },
    rows: [['4']],
  },
  {
    title: 'a condition on an aggregate in WHERE',
    sql: "SELECT glaze FROM pieces WHERE count(*) > 1 AND glaze <> 'Shino' GROUP BY glaze",
    on: all('aggregation'),
    rows: [['Celadon']],
  },
  {
    title: 'a HAVING that is a WHERE',
    sql: "SELECT full_name FROM makers HAVING city = 'Aarhus'",
    on: { sqlite: 'aggregation', postgres: 'aggregation', duckdb: 'aggregation', mysql: 'unknown-column' },
    rows: [['Bo']],
  },
  {
    title: 'a code fence behind the statement',
    sql: 'SELECT count(*) FROM makers\n```',
    on: all('refused'),
    rows: [['3']],
  },
  {
    title: 'a SELECT before the SELECT',
    sql: 'SELECT SELECT count(*) FROM makers',
    on: all('refused'),
    rows: [['3']],
  },
  {
    title: 'names in backticks',
    sql: 'SELECT `full_name` AS `The Name` FROM `makers` WHERE `maker_id` = 2',
    on: { postgres: 'refused', duckdb: 'syntax' },
    rows: [['Bo']],
  },
  {
    title: 'a name in the quotes of texts',
    sql: "SELECT full_name AS 'The Name' FROM makers WHERE maker_id = 2",
    on: { postgres: 'refused' },
    rows: [['Bo']],
  },
  {
    title: 'TOP',
    sql: 'SELECT TOP 1 full_name FROM makers ORDER BY born',
    on: { sqlite: 'syntax', postgres: 'refused', mysql: 'syntax', duckdb: 'syntax' },
    rows: [['Cy']],
  },
  {
    title: 'LIMIT with what to skip in front',
    sql: 'SELECT full_name FROM makers ORDER BY born LIMIT 1, 1',
    on: { postgres: 'refused', duckdb: 'syntax' },
    rows: [['Ada']],
  },
  {
    title: 'a cast with two colons',
    sql: 'SELECT piece_id FROM pieces WHERE price_code::integer < 20',
    on: { sqlite: 'syntax', mysql: 'syntax' },
    rows: [['4']],
  },
  {
    title: 'ILIKE',
    sql: "SELECT full_name FROM makers WHERE city ILIKE 'aar%'",
    on: { sqlite: 'syntax', mysql: 'syntax' },
    rows: [['Bo']],
  },
  {
    title: 'a JOIN without a condition',
    sql: 'SELECT count(*) FROM makers JOIN studios JOIN pieces ON pieces.maker_id = makers.maker_id AND studios.studio_id = 1',
    on: { postgres: 'refused', duckdb: 'syntax' },
    rows: [['4']],
  },
  {
    title: 'the year of a day, as MySQL says it',
    sql: 'SELECT count(*) FROM pieces WHERE YEAR(fired) = 2025',
    on: { sqlite: 'refused', postgres: 'refused' },
    rows: [['2']],
  },
  {
    title: 'the month of a day, as SQLite says it',
    sql: "SELECT strftime('%Y-%m', fired) AS month, count(*) FROM pieces GROUP BY 1 ORDER BY 1",
    on: { postgres: 'refused', mysql: 'refused' },
    rows: [
      ['2024-01', '1'],
      ['2024-02', '1'],
      ['2025-02', '1'],
      ['2025-06', '1'],
    ],
  },
  {
    title: 'a pattern of Postgres for a day',
    sql: "SELECT DISTINCT to_char(fired, 'YYYY') FROM pieces ORDER BY 1",
    on: { sqlite: 'refused', duckdb: 'refused' },
    rows: [['2024'], ['2025']],
  },
  {
    title: 'a pattern of MySQL for a day',
    sql: "SELECT DISTINCT DATE_FORMAT(fired, '%Y/%m') FROM pieces WHERE maker_id = 1 ORDER BY 1",
    on: { sqlite: 'refused', postgres: 'refused', duckdb: 'refused' },
    rows: [['2024/01'], ['2024/02']],
  },
  {
    title: 'whole years between two days',
    sql: "SELECT TIMESTAMPDIFF(YEAR, born, '2025-07-14') FROM makers ORDER BY maker_id",
    on: { sqlite: 'refused', postgres: 'refused', duckdb: 'refused' },
    rows: [['45'], ['34'], ['49']],
  },
  {
    title: 'days between two days',
    sql: "SELECT DATEDIFF('2024-02-01', fired) FROM pieces WHERE piece_id = 1",
    on: { sqlite: 'refused', postgres: 'refused', duckdb: 'function' },
    rows: [['22']],
  },
  {
    title: 'days between two days by the Julian count',
    sql: "SELECT julianday('2024-02-01') - julianday(fired) FROM pieces WHERE piece_id = 1",
    on: { postgres: 'refused', mysql: 'refused', duckdb: 'refused' },
    rows: [['22']],
  },
  {
    title: 'a day so many days before another',
    sql: "SELECT count(*) FROM pieces WHERE fired >= DATE_SUB('2025-06-30', INTERVAL 200 DAY)",
    on: { sqlite: 'refused', postgres: 'refused', duckdb: 'function' },
    rows: [['2']],
  },
  {
    title: 'a condition within a sum',
    sql: "SELECT SUM(IIF(city = 'Bergen', 1, 0)), NVL(MAX(city), 'none') FROM makers",
    on: all('refused'),
    rows: [['2', 'Bergen']],
  },
  {
    title: 'texts joined to one',
    sql: 'SELECT GROUP_CONCAT(DISTINCT city) FROM makers WHERE maker_id = 1',
    on: { postgres: 'refused' },
    rows: [['Bergen']],
  },
  {
    title: 'the place of a text in another, and its ends',
    sql: "SELECT CHARINDEX('d', full_name), LEFT(city, 3), RIGHT(city, 2), LEN(city) FROM makers WHERE maker_id = 1",
    on: all('refused'),
    rows: [['2', 'Ber', 'en', '6']],
  },
  {
    title: 'a rounded double',
    sql: 'SELECT ROUND(weight, 2) FROM pieces WHERE piece_id = 1',
    on: { postgres: 'function' },
    rows: [['1.26']],
  },
  {
    title: 'a number beside a text',
    sql: 'SELECT count(*) FROM pieces WHERE price_code = 100',
    on: { postgres: 'type-mismatch' },
    rows: [['2']],
  },
  {
    title: 'texts by their order as numbers',
    sql: 'SELECT piece_id FROM pieces WHERE price_code < 50 ORDER BY piece_id',
    on: { postgres: 'type-mismatch', duckdb: 'type-mismatch' },
    rows: [['2'], ['4']],
  },
  {
    title: 'a sum of texts',
    sql: 'SELECT sum(price_code) FROM pieces',
    on: { postgres: 'function', duckdb: 'function' },
    rows: [['227']],
  },
  {
    title: 'a boolean beside a number',
    sql: 'SELECT count(*) FROM pieces WHERE is_sold = 1',
    on: { postgres: 'type-mismatch' },
    rows: [['2']],
  },
  {
    title: 'a pattern on days',
    sql: "SELECT count(*) FROM pieces WHERE fired LIKE '2024-%'",
    on: { postgres: 'type-mismatch', duckdb: 'type-mismatch' },
    rows: [['2']],
  },
  {
    title: 'a subquery without a name',
    sql: 'SELECT max(n) FROM (SELECT count(*) AS n FROM makers GROUP BY city)',
    on: { mysql: 'syntax' },
    rows: [['2']],
  },
  {
    title: 'a text in another case',
    sql: "SELECT full_name FROM makers WHERE city = 'AARHUS'",
    on: { sqlite: 'empty-result', postgres: 'empty-result', duckdb: 'empty-result' },
    rows: [['Bo']],
  },
  {
    title: 'a count of a text in another case',
    sql: "SELECT count(*) FROM makers WHERE city = 'bergen'",
    on: { sqlite: 'empty-result', postgres: 'empty-result', duckdb: 'empty-result' },
    rows: [['2']],
  },
  {
    title: 'a pattern in another case',
    sql: "SELECT full_name FROM makers WHERE city LIKE 'aar%'",
    on: { postgres: 'empty-result', duckdb: 'empty-result' },
    rows: [['Bo']],
  },
  {
    title: 'all rows where some were asked for',
    question: 'Who are the two oldest makers?',
    sql: 'SELECT full_name FROM makers ORDER BY born',
    on: all('wrong-shape'),
    rows: [['Cy'], ['Ada']],
  },
]
