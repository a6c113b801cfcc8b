import { deparseSync } from 'pgsql-parser'
import type { TreeNode } from './sql-tree.ts'

/** Writes a Postgres statement back as text; null when the writer does not know a node in it. */
export const deparsePostgres = (statement: TreeNode): string | null => {
  try {
    return deparseSync(statement as Parameters<typeof deparseSync>[0], { pretty: false }).trim()
  } catch {
    return null
  }
}
