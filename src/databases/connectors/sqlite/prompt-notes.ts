/** What a model needs to know to write SQL for this database. */
export const promptNotes = `The database is SQLite.
- Names compare without case. Put a name in double quotes when it holds spaces or is a keyword; a text is never in double quotes.
- Strings stand in single quotes. = compares with case, LIKE without (for ASCII letters).
- Dates are text, mostly YYYY-MM-DD, and compare as text. strftime('%Y-%m', d), date(d, '+1 month'); there is no date_trunc, EXTRACT or INTERVAL.
- A whole number divided by a whole number is cut to a whole number: write 1.0 * a / b, or CAST(a AS REAL) / b.
- There is no ILIKE and no ::type. RIGHT JOIN and FULL JOIN work. GROUP_CONCAT joins texts.
- Ascending order puts NULLs first. The first few rows: ORDER BY ... LIMIT n.`
