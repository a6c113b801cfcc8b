/** Texts beyond this are cut: a statement that the guard refuses may be of any length. */
const MOST_TEXT = 100_000

/** A statement as the audit log keeps it: whole, but for one of absurd length. */
export const cutStatement = (sql: string): string =>
  sql.length > MOST_TEXT ? `${sql.slice(0, MOST_TEXT)}…` : sql
