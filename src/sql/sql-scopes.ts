import { polyglotScopes } from './polyglot-scopes.ts'
import { postgresScopes } from './postgres-scopes.ts'
import type { QueryScope } from './query-scope.ts'
import type { SqlTree } from './sql-tree.ts'

/** Every SELECT of a tree as a scope, outermost first. */
export const sqlScopes = (tree: SqlTree): readonly QueryScope[] =>
  tree.parser === 'libpg-query' ? postgresScopes(tree.statements) : polyglotScopes(tree)
