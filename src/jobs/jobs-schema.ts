/** The schema of pg-boss's tables. They are its own: beside it, only this folder reads them, and nobody migrates them. */
export const JOBS_SCHEMA = 'querent_jobs'

/** Runs one statement with `$1` placeholders on our own database. */
export type ExecuteSql = (
  sql: string,
  values?: readonly unknown[],
) => Promise<{ readonly rows: Record<string, unknown>[] }>
