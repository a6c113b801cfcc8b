import type { Database } from '../../core/database.ts'
import type { Log } from '../../core/log.ts'
import type { ListRules, ProposedRule } from '../../core/proposed-rule.ts'
import { addAcceptedRules } from '../../databases/knowledge/join-rules.ts'
import type { OpenDatabaseByName } from './make-databases.ts'

/** A question looks at its database at every step; who accepts a rule waits no longer than this. */
const RULES_FRESH_MS = 5_000

/**
 * Opens databases with the rules that admins have accepted. As long as neither the database nor the rules change it is
 * the same object, because what is made of a catalog is remembered by it. Rules that cannot be read are done without.
 */
export const withAcceptedRules = (
  open: OpenDatabaseByName,
  { listRules, now, log }: { readonly listRules: ListRules; readonly now: () => number; readonly log: Log },
): OpenDatabaseByName => {
  const read = new Map<string, { readonly at: number; readonly rules: Promise<readonly ProposedRule[]> }>()
  const joined = new Map<
    string,
    { readonly of: Database; readonly ids: string; readonly database: Database }
  >()

  const rulesOf = (database: string): Promise<readonly ProposedRule[]> => {
    const known = read.get(database)
    if (known && now() - known.at < RULES_FRESH_MS) return known.rules
    const rules = listRules({ database, status: 'accepted' }).catch((error: unknown) => {
      log.warn({ error, database }, 'accepted rules could not be read; answering without them')
      return []
    })
    read.set(database, { at: now(), rules })
    return rules
  }

  return async (name, options) => {
    const database = await open(name, options)
    const rules = await rulesOf(database.name)
    if (rules.length === 0) return database
    const ids = rules.map(({ id }) => id).join()
    const known = joined.get(name)
    if (known && known.of === database && known.ids === ids) return known.database
    const one = addAcceptedRules(database, rules)
    joined.set(name, { of: database, ids, database: one })
    return one
  }
}
