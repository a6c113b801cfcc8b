import { join } from 'node:path'
import { seesEveryValue, seesValuesOf } from '../../domain/access/sees-value.ts'
import {
  type Database,
  formatDatabaseRef,
  type OpenDatabaseByName,
  parseDatabaseRef,
} from '../../domain/database.ts'
import type { ListRules, ProposedRule } from '../../domain/knowledge.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import { hideValues } from '../../sql/rewrite/hide-values.ts'
import { addAcceptedRules, addKnowledge } from './apply-knowledge.ts'
import { loadKnowledge } from './knowledge-files.ts'

/**
 * Opens databases with the glossary of a channel, by names such as `shop/finance`: the files of `knowledge/finance/`
 * about the database are added to its shared knowledge. While the database is unchanged, the same object is returned,
 * because caches are keyed by its catalog. The name stays that of the database.
 */
export const withGlossaries = (
  open: OpenDatabaseByName,
  deps: {
    readonly knowledgeFolder: string
    /** A reference such as a path has no glossary. */
    readonly isName: (database: string) => boolean
    readonly log: Log
  },
): OpenDatabaseByName => {
  const joined = new Map<string, { readonly of: Database; readonly database: Promise<Database> }>()

  const withGlossary = async (database: Database, glossary: string): Promise<Database> => {
    const folder = join(deps.knowledgeFolder, glossary)
    const { knowledge, problems } = await loadKnowledge(folder, { database: database.name })
    if (Object.values(knowledge).every(part => part.length === 0))
      deps.log.warn({ folder, database: database.name }, 'a glossary has no entries for this database')
    const more = addKnowledge(database, knowledge)
    for (const { at, message } of [...problems, ...more.problems])
      deps.log.warn({ at: `${at.file}:${at.line}` }, message)
    return more.database
  }

  return async (name, options) => {
    const view = parseDatabaseRef(name)
    if (view.glossary === null || !deps.isName(view.database)) return open(name, options)
    const database = await open(formatDatabaseRef({ ...view, glossary: null }), options)
    const known = joined.get(name)
    if (known && known.of === database) return known.database
    const made = withGlossary(database, view.glossary)
    joined.set(name, { of: database, database: made })
    made.catch(() => joined.delete(name))
    return made
  }
}

/** A question opens its database at every step; an accepted rule applies within this time. */
const RULES_FRESH_MS = 5_000

/**
 * Opens databases with the rules that admins accepted. While database and rules are unchanged, the same object is
 * returned, because caches are keyed by its catalog. Rules that cannot be read are left out, and so are those that say
 * what the person may not see.
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
      log.warn({ error, database }, 'could not read accepted rules; answering without them')
      return []
    })
    read.set(database, { at: now(), rules })
    return rules
  }

  return async (name, options) => {
    const database = await open(name, options)
    const rules = readableRules(await rulesOf(database.name), database)
    if (rules.length === 0) return database
    const ids = rules.map(({ id }) => id).join()
    const known = joined.get(name)
    if (known && known.of === database && known.ids === ids) return known.database
    const one = addAcceptedRules(database, rules)
    joined.set(name, { of: database, ids, database: one })
    return one
  }
}

/**
 * The accepted rules that apply to a database as one person sees it. A rule came from the reply of somebody, who may see
 * other rows, and is said with answers: it must name columns alone, or values of rows that this person sees. What a rule
 * in words alone names is not known.
 */
const readableRules = (
  rules: readonly ProposedRule[],
  database: Pick<Database, 'dialect' | 'rights' | 'findValues'>,
): readonly ProposedRule[] => {
  const sees = seesValuesOf(database)
  if (sees === seesEveryValue) return rules
  const { dialect } = database
  return rules.filter(({ phrase, sql, columns, meaning }) => {
    if (phrase === null) return false
    return sql === null ? columns.length > 0 : hideValues({ sql, dialect, words: meaning }, sees).isOpen
  })
}
