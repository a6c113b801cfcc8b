/** Texts beyond this are cut: a statement that the guard refuses may be of any length. */
const MAX_TEXT = 100_000

/** A statement as the audit log keeps it: whole, but for one of absurd length. */
export const truncateStatement = (sql: string): string =>
  sql.length > MAX_TEXT ? `${sql.slice(0, MAX_TEXT)}…` : sql
