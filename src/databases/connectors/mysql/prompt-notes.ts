/** What a model needs to know to write SQL for this database. */
export const promptNotes = `The database is MySQL.
- Put a name in backticks when it holds spaces or is a keyword; table names may compare with case, column names do not.
- Strings stand in single quotes and mostly compare without case.
- Dates: DATE '2026-01-31'; DATE_FORMAT(d, '%Y-%m'), YEAR(d), d + INTERVAL 1 MONTH; there is no date_trunc.
- / divides with decimals, DIV cuts. GROUP_CONCAT joins texts.
- There is no FULL JOIN, no ILIKE, no ::type and no FILTER: write SUM(CASE WHEN ... THEN 1 ELSE 0 END).
- Ascending order puts NULLs first. The first few rows: ORDER BY ... LIMIT n.`
