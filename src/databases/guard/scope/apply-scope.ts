import type { Catalog } from '../../../core/catalog.ts'
import { QuerentError } from '../../../core/errors.ts'
import type { Guard } from '../../../core/guarded-sql.ts'
import type { ReadScope } from '../../../core/read-scope.ts'
import { makeScopedGuard } from './make-scoped-guard.ts'
import { scopeCatalog } from './scope-catalog.ts'
import { type ScopedDatabase, scopedDatabase } from './scoped-database.ts'
import { unmatchedPatterns } from './unmatched-patterns.ts'

/** A database as it may be seen: its catalog without what is kept, and the guard that keeps it. */
export interface AppliedScope {
  readonly introspect: (signal?: AbortSignal) => Promise<Catalog>
  readonly guard: Guard
}

/**
 * Puts a scope on a database. The catalog is read at once, because without it the guard could tell nothing; whoever
 * reads it again later renews what the guard knows too. Both reject with `QuerentError` when something in the lists means
 * nothing there, and the guard then knows what it knew: a misspelt column would be an open one, and so would one that
 * the database has given another name.
 */
export const applyScope = async (
  { introspect, guard }: AppliedScope,
  scope: ReadScope,
  signal?: AbortSignal,
): Promise<AppliedScope> => {
  const read = async (signal?: AbortSignal): Promise<{ catalog: Catalog; database: ScopedDatabase }> => {
    const catalog = await introspect(signal)
    const [unmatched] = unmatchedPatterns(catalog, scope)
    if (unmatched !== undefined)
      throw new QuerentError(
        'bad-configuration',
        `“${unmatched.pattern}” under ${unmatched.list} means nothing in this database. Correct it, or take it out of the list.`,
      )
    return { catalog, database: scopedDatabase(catalog, scope) }
  }
  let current = await read(signal)
  const { dialect } = current.catalog
  return {
    introspect: async signal => {
      current = await read(signal)
      return scopeCatalog(current.catalog, scope, current.database)
    },
    guard: makeScopedGuard(guard, {
      dialect,
      find: (schema, name) => current.database.find(schema, name),
    }),
  }
}
