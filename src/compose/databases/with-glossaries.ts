import { join } from 'node:path'
import type { Database } from '../../core/database.ts'
import { parseDatabaseRef } from '../../core/database-view.ts'
import type { Log } from '../../core/log.ts'
import { addKnowledge } from '../../databases/knowledge/join-knowledge.ts'
import { loadKnowledge } from '../../databases/knowledge/read-knowledge.ts'
import type { OpenDatabaseByName } from './make-databases.ts'

/**
 * Opens databases with the glossary of a channel, by names such as `shop/finance`: the files of `knowledge/finance/`
 * that are about the database, beside what is known of it everywhere. As long as the database does not change it is the
 * same object, because what is made of a catalog is remembered by it. Its name stays that of the database.
 */
export const withGlossaries = (
  open: OpenDatabaseByName,
  deps: {
    readonly knowledgeFolder: string
    /** A reference such as a path is no name with a glossary. */
    readonly isName: (database: string) => boolean
    readonly log: Log
  },
): OpenDatabaseByName => {
  const joined = new Map<string, { readonly of: Database; readonly database: Promise<Database> }>()

  const withGlossary = async (database: Database, glossary: string): Promise<Database> => {
    const folder = join(deps.knowledgeFolder, glossary)
    const { knowledge, problems } = await loadKnowledge(folder, { database: database.name })
    if (Object.values(knowledge).every(part => part.length === 0))
      deps.log.warn({ folder, database: database.name }, 'a glossary says nothing of this database')
    const more = addKnowledge(database, knowledge)
    for (const { at, message } of [...problems, ...more.problems])
      deps.log.warn({ at: `${at.file}:${at.line}` }, message)
    return more.database
  }

  return async (name, options) => {
    const view = parseDatabaseRef(name)
    if (view.glossary === null || !deps.isName(view.database)) return open(name, options)
    const database = await open(view.database, options)
    const known = joined.get(name)
    if (known && known.of === database) return known.database
    const made = withGlossary(database, view.glossary)
    joined.set(name, { of: database, database: made })
    made.catch(() => joined.delete(name))
    return made
  }
}
