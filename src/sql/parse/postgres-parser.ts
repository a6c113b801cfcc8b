import { hasSqlDetails, loadModule, parseSync } from 'libpg-query'
import type { TreeNode } from './sql-tree.ts'

// The WASM module is loaded once, here, so that everything above can be synchronous.
await loadModule()

/** Parses with Postgres's own grammar (libpg-query). Never throws; `position` counts characters from 0. */
export const parsePostgres = (
  sql: string,
):
  | { readonly ok: true; readonly statements: readonly TreeNode[] }
  | { readonly ok: false; readonly message: string; readonly position: number | null } => {
  // An empty text is no statement to Postgres, but an error to the binding.
  if (sql.trim() === '') return { ok: true, statements: [] }
  try {
    const { stmts } = parseSync(sql) as { stmts?: { stmt?: unknown }[] }
    return { ok: true, statements: (stmts ?? []).map(raw => (raw.stmt ?? {}) as TreeNode) }
  } catch (error) {
    const position = hasSqlDetails(error) ? (error.sqlDetails?.cursorPosition ?? null) : null
    return { ok: false, message: error instanceof Error ? error.message : String(error), position }
  }
}
