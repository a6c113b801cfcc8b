import type { GuardedSql } from '../../domain/sql.ts'
import { parseSql } from '../../sql/parse/parse-sql.ts'
import type { SqlTree } from '../../sql/parse/sql-tree.ts'

const trees = new WeakMap<GuardedSql, SqlTree>()

/** Keeps the tree that a statement was judged by, for as long as the statement is kept. Only the guard calls this. */
export const keepTree = (guarded: GuardedSql, tree: SqlTree): GuardedSql => {
  trees.set(guarded, tree)
  return guarded
}

/** The tree of a guarded statement: the one that the guard judged, so that it is parsed once. Null if it has none. */
export const treeOfGuarded = (guarded: GuardedSql): SqlTree | null => {
  const kept = trees.get(guarded)
  if (kept !== undefined) return kept
  const parsed = parseSql(guarded.sql, guarded.dialect)
  if (!parsed.ok) return null
  trees.set(guarded, parsed.tree)
  return parsed.tree
}
