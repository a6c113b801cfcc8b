import { brandGuardedSql, type GuardedSql } from '../../../domain/sql.ts'
import { functionCalls } from '../../../sql/analyze/function-calls.ts'
import { databaseDialect } from '../../../sql/dialects.ts'
import { readQuery } from '../../../sql/parse/read-statements.ts'
import type { SqlTree } from '../../../sql/parse/sql-tree.ts'
import type { NameEdits } from '../../../sql/rewrite/names/name-edits.ts'
import { replacePostgresNames } from '../../../sql/rewrite/names/replace-postgres-names.ts'
import { treeOfGuarded } from '../guarded-tree.ts'
import { makeIsOwnFunction, makeOwnSyntaxRefusal } from '../scope/own-calls.ts'
import { scopeMessages } from '../scope/visible-sources.ts'
import { unreadNames } from './name-layers.ts'
import { type CheckedText, replaceCheckedNames } from './replace-checked-names.ts'
import { type ResolvedNames, resolveNames } from './resolve-names.ts'
import type { TableViews } from './table-views.ts'

/**
 * The statement that runs in place of one that the guard allowed: rendered from what each of its names means, so that the
 * server cannot take one for another. Tables are what may be seen of them; no name that a person or a model wrote is left
 * to be looked up, but the headings of the result.
 */
export type RenderedStatement =
  | {
      readonly verdict: 'allow'
      readonly guarded: GuardedSql
      /** Text of the server with our names in it, such as a heading or a plan, in the words of the statement. */
      readonly inOwnWords: (text: string) => string
    }
  | { readonly verdict: 'refuse'; readonly reason: string; readonly isClash: boolean }

/**
 * Renders a statement over what can be seen of its tables.
 *
 * @example
 * SELECT count(*) FROM shop.orders
 * SELECT count(*) FROM (SELECT "id", "total" FROM "shop"."orders" WHERE (region = 'EMEA') OFFSET 0) AS q1
 */
export const renderStatement = (guarded: GuardedSql, views: TableViews): RenderedStatement => {
  const refuse = (reason: string, isClash = false): RenderedStatement => ({
    verdict: 'refuse',
    reason,
    isClash,
  })
  const { catalog } = views
  const { dialect } = catalog
  if (guarded.dialect !== dialect)
    return refuse(`it is ${guarded.dialect}, but the database speaks ${dialect}`)
  const tree = treeOfGuarded(guarded)
  const query = tree === null ? null : readQuery(tree)
  if (tree === null || query === null) return refuse(unreadNames)
  // A function of the database under a name that is allowed may read any row.
  const { functions } = databaseDialect(dialect).guard
  const isOwn = makeIsOwnFunction(catalog)
  const own = functionCalls(tree).find(call => functions.has(call.name) && isOwn(call))
  if (own !== undefined) return refuse(scopeMessages.call(own.name))
  const labels = views.labelsRefusal(tree)
  if (labels !== null) return refuse(labels)
  const ownSyntax = makeOwnSyntaxRefusal(catalog)(tree)
  if (ownSyntax !== null) return refuse(ownSyntax)

  const names = makeGeneratedNames(tree, views.takenNames)
  const resolved = resolveNames(query, dialect, { find: views.find, nextName: names.next })
  if (!resolved.ok) return refuse(resolved.reason, resolved.isClash)
  const replaced = replaceNames(tree, resolved, views)
  return 'refusal' in replaced
    ? refuse(replaced.refusal)
    : {
        verdict: 'allow',
        guarded: brandGuardedSql(replaced.sql, dialect),
        inOwnWords: restoreNames(resolved.edits, replaced.originals),
      }
}

const replaceNames = (
  tree: SqlTree,
  resolved: Extract<ResolvedNames, { ok: true }>,
  views: TableViews,
): CheckedText => {
  if (tree.parser !== 'libpg-query') return replaceCheckedNames(tree, resolved, views)
  const sql = replacePostgresNames(tree, resolved.edits)
  // Postgres makes headings of names alone, without what stands before them.
  return sql === null ? { refusal: unreadNames } : { sql, originals: new Map() }
}

/** Makes new names for one statement, `q1`, `q2` ..., that stand neither in the statement nor among those that are `taken` (in lower case). */
const makeGeneratedNames = (
  { tokens }: SqlTree,
  takenNames: ReadonlySet<string>,
): { readonly next: () => string } => {
  const taken = new Set([...takenNames, ...tokens.map(({ value }) => value.toLowerCase())])
  let prefix = 'q'
  while ([...taken].some(name => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length))))
    prefix += 'q'
  let last = 0
  return {
    next: () => {
      last += 1
      return `${prefix}${last}`
    },
  }
}

/**
 * Makes what puts the names of the statement back into a text of the server, such as a heading or a plan: `sum(q1.total)`
 * becomes `sum(o.total)`. `originals` are new names with what was written for them.
 */
const restoreNames = (
  edits: NameEdits,
  originals: ReadonlyMap<string, string>,
): ((text: string) => string) => {
  const known = new Map<string, string>()
  for (const [source, { alias }] of edits.tables)
    if (alias !== null && source.kind === 'table') known.set(alias, source.alias ?? source.name)
  for (const [source, alias] of edits.aliases) if (source.alias !== null) known.set(alias, source.alias)
  for (const [{ name }, renamed] of edits.queries) known.set(renamed, name)
  const whole = [...originals].filter(([now]) => now.includes('.')).sort(([a], [b]) => b.length - a.length)
  return text => {
    let restored = text
    if (!/q\d/.test(restored)) return restored
    for (const [now, before] of whole) restored = restored.replaceAll(now, before)
    return restored.replace(/\bq+\d+\b/g, name => known.get(name) ?? name)
  }
}
