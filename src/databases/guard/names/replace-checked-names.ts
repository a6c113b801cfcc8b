import { wideFold } from '../../../sql/analyze/wide-fold.ts'
import { maxRenderedLength } from '../../../sql/parse/parse-sql.ts'
import type { SqlTree } from '../../../sql/parse/sql-tree.ts'
import type { NameEdits } from '../../../sql/rewrite/names/name-edits.ts'
import { type ReplacedText, replaceTokenNames } from '../../../sql/rewrite/names/replace-token-names.ts'
import { unreadNames } from './name-layers.ts'
import type { ResolvedNames } from './resolve-names.ts'
import type { ReadTables, TableViews } from './table-views.ts'

/** A statement with other names and what these were, or why there is none. */
export type CheckedText = Pick<ReplacedText, 'sql' | 'originals'> | { readonly refusal: string }

const tooLong =
  'it names tables with many columns so often that what would run is too long: name each of them once, in WITH'

/**
 * Replaces the names of a statement that is not Postgres's. Its parser is not the server's own, so the new text is looked
 * at once more, and refused if in doubt: a name that was left must not be that of a table with secrets, whatever the place
 * it stands in is to the server, and the tables of the new text must be ours alone.
 */
export const replaceCheckedNames = (
  tree: SqlTree,
  { edits, left }: Extract<ResolvedNames, { ok: true }>,
  { secretNames, readTables }: Pick<TableViews, 'secretNames' | 'readTables'>,
): CheckedText => {
  const kept = left.filter(({ isAlias }) => isAlias).map(({ column }) => column)
  const replaced = replaceTokenNames(tree, edits, kept)
  if (replaced === null || leavesSecretName(tree, replaced.covered, secretNames))
    return { refusal: unreadNames }
  if (replaced.sql.length > maxRenderedLength) return { refusal: tooLong }
  return readsOurTables(replaced.sql, readTables, edits) ? replaced : { refusal: unreadNames }
}

/** A heading, and a column behind a point, cannot be taken for a table. */
const leavesSecretName = (
  { tokens }: SqlTree,
  covered: readonly { readonly start: number; readonly end: number }[],
  secretNames: ReadonlySet<string>,
): boolean =>
  tokens.some((token, at) => {
    if (token.kind !== 'word' && token.kind !== 'quoted') return false
    if (!secretNames.has(wideFold(token.value))) return false
    const [before, after] = [tokens[at - 1], tokens[at + 1]]
    const isHeading = before?.kind === 'word' && before.value === 'as' && after?.text !== '('
    return (
      before?.text !== '.' &&
      !isHeading &&
      !covered.some(({ start, end }) => start <= token.start && token.end <= end)
    )
  })

const readsOurTables = (sql: string, tables: ReadTables, edits: NameEdits): boolean => {
  const found = tables.ofStatement(sql)
  if (found === null) return false
  const expected: string[] = []
  for (const standIn of [...[...edits.tables.values()].map(({ sql }) => sql), ...edits.listed.values()]) {
    const own = tables.ofSource(standIn)
    if (own === null) return false
    expected.push(...own)
  }
  return JSON.stringify([...found].sort()) === JSON.stringify(expected.sort())
}
