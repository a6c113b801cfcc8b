import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { Dialect as PolyglotDialect } from '@polyglot-sql/sdk'
import type { ParseDialect } from '../../domain/sql.ts'
import { projectFolder } from '../../lib/project.ts'
import { dialectNamed } from '../dialects.ts'
import type { TreeNode } from './sql-tree.ts'

// Its WebAssembly is 22 MB, of which a process uses little. Functions are checked when first called, and optimized only once
// a process has parsed some thousand statements: optimizing them took 2.3 of the 3.7 s of processor time of one `ask`.
setFlagsFromString('--wasm-lazy-validation')
setFlagsFromString('--wasm-tiering-budget=100000000')

// The package's CommonJS form reads the file at once. Its other form fetches it, which takes three times as long.
const { generate, init, parse, tokenize } = createRequire(join(projectFolder, 'package.json'))(
  '@polyglot-sql/sdk',
) as typeof import('@polyglot-sql/sdk')
await init()

/** Where a token stands as polyglot cuts it: [start, end) in code points. */
export interface PolyglotToken {
  readonly start: number
  readonly end: number
}

type Failure = { readonly ok: false; readonly message: string; readonly position: number | null }

const named = (dialect: ParseDialect): PolyglotDialect =>
  dialectNamed(dialect).polyglotName as PolyglotDialect

const failure = (error: string | undefined, position: number | undefined): Failure => ({
  ok: false,
  // Its messages begin with line and column, which `position` says better.
  message: (error ?? 'it could not be parsed').replace(
    /^(?:Parse|Tokenization) error at line \d+, column \d+: /,
    '',
  ),
  position: position ?? null,
})

/** Parses with polyglot. Never throws; `position` counts code points from 0. */
export const parsePolyglot = (
  sql: string,
  dialect: ParseDialect,
): { readonly ok: true; readonly statements: readonly TreeNode[] } | Failure => {
  try {
    const result = parse(sql, named(dialect))
    if (!result.success) return failure(result.error, result.errorStart)
    return { ok: true, statements: (result.ast ?? []) as unknown as TreeNode[] }
  } catch (error) {
    return failure(error instanceof Error ? error.message : String(error), undefined)
  }
}

/** Polyglot's own cut of the text, for comparison with ours. Never throws. */
export const tokenizePolyglot = (
  sql: string,
  dialect: ParseDialect,
): { readonly ok: true; readonly tokens: readonly PolyglotToken[] } | Failure => {
  try {
    const result = tokenize(sql, named(dialect))
    if (!result.success) return failure(result.error, result.errorStart)
    return { ok: true, tokens: (result.tokens ?? []).map(({ span: { start, end } }) => ({ start, end })) }
  } catch (error) {
    return failure(error instanceof Error ? error.message : String(error), undefined)
  }
}

/**
 * Writes a tree back as text of the same dialect, for comparison only: polyglot's writer is not exact enough to
 * execute what it writes. Null when it cannot.
 */
export const generatePolyglot = (statement: TreeNode, dialect: ParseDialect): string | null => {
  try {
    const result = generate([statement], named(dialect))
    return result.success ? (result.sql?.[0] ?? null) : null
  } catch {
    return null
  }
}
