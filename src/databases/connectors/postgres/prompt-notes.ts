/** What a model needs to know to write SQL for this database. */
export const promptNotes = `The database is PostgreSQL.
- Names without quotes are folded to lower case. Put a name in double quotes when it holds capitals, spaces or is a keyword.
- Strings stand in single quotes and compare with case; ILIKE compares without.
- Dates: DATE '2026-01-31'; date_trunc('month', d), EXTRACT(year FROM d), to_char(d, 'YYYY-MM'); d + INTERVAL '1 month'.
- A whole number divided by a whole number is cut to a whole number: write 1.0 * a / b. ROUND(x, 2) needs a numeric: x::numeric.
- Every selected column that is not aggregated stands in GROUP BY. COUNT(*) FILTER (WHERE ...) counts a part.
- Descending order puts NULLs first; add NULLS LAST where they would win. The first few rows: ORDER BY ... LIMIT n.`
