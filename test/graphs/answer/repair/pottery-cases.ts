import type { SqlErrorClass } from '../../../../src/domain/errors.ts'

/** A statement about the studio, how it fails, and what the rules make of it; null where they should keep out of it. */
export interface PotteryCase {
  readonly title: string
  readonly errorClass: SqlErrorClass
  readonly broken: string
  readonly fixed: string | null
  /** The databases on which it fails like this. */
  readonly on: readonly ('sqlite' | 'postgres')[]
}

const both = ['sqlite', 'postgres'] as const

export const potteryCases: readonly PotteryCase[] = [
  {
    title: 'a table in the singular, with its columns',
    errorClass: 'unknown-table',
    broken: 'SELECT maker.full_name FROM maker WHERE maker.maker_id > 0',
    fixed: 'SELECT makers.full_name FROM makers WHERE makers.maker_id > 0',
    on: both,
  },
  {
    title: 'a misspelt table under an alias',
    errorClass: 'unknown-table',
    broken: 'SELECT s.title FROM makers AS m JOIN stuidos AS s ON s.studio_id = m.studio_id',
    fixed: 'SELECT s.title FROM makers AS m JOIN studios AS s ON s.studio_id = m.studio_id',
    on: both,
  },
  {
    title: 'a table that is like none',
    errorClass: 'unknown-table',
    broken: 'SELECT count(*) FROM customers',
    fixed: null,
    on: both,
  },
  {
    title: 'a table whose capitals need quotes',
    errorClass: 'unknown-table',
    broken: 'SELECT k.piece_id FROM KilnLog AS k WHERE k."maxTemp" > 1000',
    fixed: 'SELECT k.piece_id FROM "KilnLog" AS k WHERE k."maxTemp" > 1000',
    on: ['postgres'],
  },
  {
    title: 'a table in snake case, and a column whose capitals need quotes',
    errorClass: 'unknown-table',
    broken: 'SELECT kiln_log.max_temp FROM kiln_log ORDER BY kiln_log.max_temp',
    fixed: 'SELECT "KilnLog"."maxTemp" FROM "KilnLog" ORDER BY "KilnLog"."maxTemp"',
    on: ['postgres'],
  },
  {
    title: 'a column in another spelling, with and without its table',
    errorClass: 'unknown-column',
    broken: 'SELECT p.glazeColour FROM pieces AS p WHERE glazeColours IS NOT NULL GROUP BY p.glazeColour',
    fixed: 'SELECT p.glaze_colour FROM pieces AS p WHERE glaze_colour IS NOT NULL GROUP BY p.glaze_colour',
    on: both,
  },
  {
    title: 'a misspelt column in a subquery',
    errorClass: 'unknown-column',
    broken: 'SELECT full_name FROM makers WHERE maker_id IN (SELECT maker_idd FROM pieces)',
    fixed: null,
    on: both,
  },
  {
    title: 'a misspelt column of one of two tables',
    errorClass: 'unknown-column',
    broken: 'SELECT ful_name FROM makers AS m JOIN pieces AS p ON p.maker_id = m.maker_id',
    fixed: 'SELECT full_name FROM makers AS m JOIN pieces AS p ON p.maker_id = m.maker_id',
    on: both,
  },
  {
    title: 'a misspelt column that two tables have',
    errorClass: 'unknown-column',
    broken: 'SELECT maker_idd FROM makers AS m JOIN pieces AS p ON p.maker_id = m.maker_id',
    fixed: null,
    on: both,
  },
  {
    title: 'a column that stands under the wrong table',
    errorClass: 'unknown-column',
    broken: 'SELECT m.title, m.full_name FROM makers AS m JOIN studios AS s ON s.studio_id = m.studio_id',
    fixed: 'SELECT s.title, m.full_name FROM makers AS m JOIN studios AS s ON s.studio_id = m.studio_id',
    on: both,
  },
  {
    title: 'a column of which its own table has something like it',
    errorClass: 'unknown-column',
    broken:
      'SELECT p.id, s.name FROM pieces AS p JOIN makers AS m ON m.maker_id = p.maker_id JOIN studios AS s ON s.studio_id = m.studio_id',
    fixed: null,
    on: both,
  },
  {
    title: 'an alias that means two tables in two SELECTs',
    errorClass: 'unknown-column',
    broken: 'SELECT (SELECT max(t.titel) FROM studios AS t) FROM makers AS t WHERE t.titel IS NULL',
    fixed: null,
    on: both,
  },
  {
    title: 'a name with a space',
    errorClass: 'unknown-column',
    broken: "SELECT k.piece_id FROM \"KilnLog\" AS k WHERE k.fuel IS NOT NULL AND 'fuel type' <> ''",
    fixed: null,
    on: both,
  },
  {
    title: 'a name with a space, without its quotes',
    errorClass: 'syntax',
    broken: 'SELECT k.fuel type, count(*) FROM "KilnLog" AS k GROUP BY k.fuel type',
    fixed: 'SELECT k."fuel type", count(*) FROM "KilnLog" AS k GROUP BY k."fuel type"',
    on: both,
  },
  {
    title: 'a key word for a name, beside the same key word',
    errorClass: 'syntax',
    broken: 'SELECT group, count(*) FROM "KilnLog" GROUP BY group',
    fixed: 'SELECT "group", count(*) FROM "KilnLog" GROUP BY "group"',
    on: both,
  },
  {
    title: 'a name with a space that passes for an alias',
    errorClass: 'unknown-column',
    broken: 'SELECT k.fuel type FROM "KilnLog" AS k',
    fixed: 'SELECT k."fuel type" FROM "KilnLog" AS k',
    on: both,
  },
  {
    title: 'texts in the quotes of names, beside a name in its own',
    errorClass: 'unknown-column',
    broken: `SELECT "full_name" FROM makers WHERE city IN ("O'Hare", "Bergen") OR city = "Aarhus" ORDER BY "full_name"`,
    fixed: `SELECT "full_name" FROM makers WHERE city IN ('O''Hare', 'Bergen') OR city = 'Aarhus' ORDER BY "full_name"`,
    on: ['postgres'],
  },
  {
    title: 'a quoted name that is compared to and misspelt',
    errorClass: 'unknown-column',
    broken: 'SELECT m.full_name FROM makers AS m JOIN pieces AS p ON m.maker_id = "maker_idd"',
    fixed: null,
    on: ['postgres'],
  },
  {
    title: 'a text in the quotes of names that is spelt otherwise',
    errorClass: 'empty-result',
    broken: 'SELECT full_name FROM makers WHERE city = "bergen"',
    fixed: "SELECT full_name FROM makers WHERE city = 'Bergen'",
    on: ['sqlite'],
  },
  {
    title: 'a table by its own name although it has an alias',
    errorClass: 'unknown-column',
    broken: 'SELECT makers.full_name FROM makers AS m JOIN pieces AS p ON p.maker_id = m.maker_id',
    fixed: 'SELECT m.full_name FROM makers AS m JOIN pieces AS p ON p.maker_id = m.maker_id',
    on: ['sqlite'],
  },
  {
    title: 'a table by its own name although it has an alias',
    errorClass: 'unknown-table',
    broken: 'SELECT makers.full_name FROM makers AS m JOIN pieces AS p ON p.maker_id = m.maker_id',
    fixed: 'SELECT m.full_name FROM makers AS m JOIN pieces AS p ON p.maker_id = m.maker_id',
    on: ['postgres'],
  },
  {
    title: 'a table by its own name although it stands there twice',
    errorClass: 'unknown-column',
    broken: 'SELECT makers.full_name FROM makers AS a JOIN makers AS b ON a.studio_id = b.studio_id',
    fixed: null,
    on: ['sqlite'],
  },
  {
    title: 'an alias that nothing has, where there is one table',
    errorClass: 'unknown-column',
    broken: 'SELECT count(*) FROM pieces WHERE t1.fired_on IS NULL',
    fixed: 'SELECT count(*) FROM pieces WHERE pieces.fired_on IS NULL',
    on: ['sqlite'],
  },
  {
    title: 'a table that was forgotten in the FROM',
    errorClass: 'unknown-column',
    broken: 'SELECT studios.city FROM makers',
    fixed: null,
    on: ['sqlite'],
  },
  {
    title: 'a misspelt qualifier',
    errorClass: 'unknown-column',
    broken: 'SELECT count(*) FROM pieces JOIN makers ON makers.maker_id = piece.maker_id',
    fixed: 'SELECT count(*) FROM pieces JOIN makers ON makers.maker_id = pieces.maker_id',
    on: ['sqlite'],
  },
  {
    title: 'a statement that is wrong in another way',
    errorClass: 'syntax',
    broken: 'SELECT full_name FROM makers WHERE',
    fixed: null,
    on: both,
  },
  {
    title: 'an ambiguous column of tables that are joined on it',
    errorClass: 'ambiguous-column',
    broken:
      'SELECT maker_id, count(*) FROM makers AS m LEFT JOIN pieces AS p ON p.maker_id = m.maker_id GROUP BY maker_id',
    fixed:
      'SELECT m.maker_id, count(*) FROM makers AS m LEFT JOIN pieces AS p ON p.maker_id = m.maker_id GROUP BY m.maker_id',
    on: both,
  },
  {
    title: 'an ambiguous column of a table and a subquery',
    errorClass: 'ambiguous-column',
    broken:
      'SELECT maker_id, n FROM makers JOIN (SELECT maker_id, count(*) AS n FROM pieces AS p GROUP BY p.maker_id) AS d ON d.maker_id = makers.maker_id',
    fixed:
      'SELECT makers.maker_id, n FROM makers JOIN (SELECT maker_id, count(*) AS n FROM pieces AS p GROUP BY p.maker_id) AS d ON d.maker_id = makers.maker_id',
    on: both,
  },
  {
    title: 'an ambiguous column that is two things',
    errorClass: 'ambiguous-column',
    broken: 'SELECT city FROM makers AS m JOIN studios AS s ON s.studio_id = m.studio_id',
    fixed: null,
    on: both,
  },
  {
    title: 'an ambiguous column of a join that may lack the first',
    errorClass: 'ambiguous-column',
    broken: 'SELECT maker_id FROM makers AS m RIGHT JOIN pieces AS p ON p.maker_id = m.maker_id',
    fixed: null,
    on: both,
  },
  {
    title: 'a value in another case',
    errorClass: 'empty-result',
    broken: "SELECT full_name FROM makers WHERE city = 'bergen'",
    fixed: "SELECT full_name FROM makers WHERE city = 'Bergen'",
    on: both,
  },
  {
    title: 'values without their accents, misspelt, and right',
    errorClass: 'empty-result',
    broken:
      "SELECT 1 FROM makers AS m, pieces AS p WHERE m.city IN ('Sao Tome', 'Aarhus') AND p.glaze_colour = 'Celedon'",
    fixed:
      "SELECT 1 FROM makers AS m, pieces AS p WHERE m.city IN ('São Tomé', 'Aarhus') AND p.glaze_colour = 'Celadon'",
    on: both,
  },
  {
    title: 'a value that is in another column',
    errorClass: 'empty-result',
    broken: "SELECT full_name FROM makers WHERE city = 'Malmo'",
    fixed: null,
    on: both,
  },
  {
    title: 'a value between two',
    errorClass: 'empty-result',
    broken: "SELECT 1 FROM pieces WHERE glaze_colour = 'Iron rud'",
    fixed: null,
    on: both,
  },
  {
    title: 'a pattern',
    errorClass: 'empty-result',
    broken: "SELECT full_name FROM makers WHERE city LIKE 'bergem%'",
    fixed: null,
    on: ['sqlite'],
  },
  {
    title: 'a value under a function that changes case',
    errorClass: 'empty-result',
    broken: "SELECT full_name FROM makers WHERE lower(city) = 'Bergen'",
    fixed: null,
    on: both,
  },
  {
    title: 'a statement that takes too long',
    errorClass: 'timeout',
    broken: 'SELECT 1 FROM makr',
    fixed: null,
    on: both,
  },
]
