/** A text as DuckDB reads it; a backslash means nothing to it. */
export const quoteText = (value: string): string => `'${value.replaceAll("'", "''")}'`
