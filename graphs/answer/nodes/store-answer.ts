import type { NodeRun, OpenDatabase, StoringDeps } from '../deps.ts'
import type { State, Update } from '../state.ts'
import { knownVersion } from './recall-answer.ts'

interface StoreDeps {
  readonly database: OpenDatabase
  readonly storing: Pick<StoringDeps, 'answerReuse' | 'listVerifiedIds'>
}

/**
 * Keeps the answer for anyone who asks the same; whether it may be kept was decided on the way here. Not where an admin
 * accepted or took back something in the meantime: nobody can tell which of the two the answer followed.
 */
export const makeStoreAnswer =
  ({ database, storing }: StoreDeps) =>
  async ({ cacheKey, question }: State, run: NodeRun): Promise<Update> => {
    if (!cacheKey || !storing.answerReuse) return {}
    const known = await knownVersion(await database(question.database, run), storing)
    if (known === cacheKey.schemaVersion) await storing.answerReuse.store(cacheKey, question.id)
    return {}
  }
