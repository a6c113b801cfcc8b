import { postgresCalls } from './postgres-calls.ts'
import type { SqlCall } from './sql-call.ts'
import type { SqlTree } from './sql-tree.ts'
import { tokenCalls } from './token-calls.ts'

/**
 * Every function call of a tree. Postgres's grammar says which they are. polyglot turns known functions into some
 * 300 kinds of nodes and drops how they were spelled, so there the tokens are asked: a name before a bracket is a
 * call unless its place proves otherwise.
 */
export const functionCalls = (tree: SqlTree): readonly SqlCall[] =>
  tree.parser === 'libpg-query' ? postgresCalls(tree.statements) : tokenCalls(tree.tokens, tree.dialect)
