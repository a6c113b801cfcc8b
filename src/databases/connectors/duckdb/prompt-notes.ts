/** What a model needs to know to write SQL for this database. */
export const promptNotes = `The database is DuckDB.
- Names compare without case. Put a name in double quotes when it holds spaces or is a keyword.
- Strings stand in single quotes and compare with case; ILIKE compares without.
- Dates: DATE '2026-01-31'; date_trunc('month', d), EXTRACT(year FROM d), strftime(d, '%Y-%m'); d + INTERVAL 1 MONTH.
- / divides with decimals, // cuts to a whole number.
- Every selected column that is not aggregated stands in GROUP BY. COUNT(*) FILTER (WHERE ...) counts a part.
- NULLs come last in either order. The first few rows: ORDER BY ... LIMIT n.`
