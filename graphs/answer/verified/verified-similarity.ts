import type { ListVerified, MakeVerifiedSimilarity } from '../../../src/domain/verified-query.ts'
import type { NodeRun, OpenDatabase, StoringDeps } from '../deps.ts'
import type { State } from '../state.ts'
import { makeFindSimilarVerified } from './similar-questions.ts'

/** Where verified queries are read, and what holds a statement against them. */
export interface VerifiedEvidence {
  readonly listVerified: ListVerified
  readonly likenessTo: MakeVerifiedSimilarity
}

/** From 0 to 1, how much a statement looks like what people verified for questions like the one that is asked. */
export type VerifiedSimilarity = (sql: string) => number

/** More than the questions that run at a time; the oldest entries are dropped. */
const MOST_REMEMBERED = 100

/**
 * Makes the look-up of what statements of a question are held against: once per attempt, however many rounds it takes. Null
 * if nothing is verified for its database, or where that cannot be read; then nothing else is loaded either. Rejects
 * only when the signal fired.
 */
export const makeFindVerifiedSimilarity = (
  deps: { readonly database: OpenDatabase } & Pick<StoringDeps, 'runStore'> & VerifiedEvidence,
): ((state: Pick<State, 'question' | 'round'>, run: NodeRun) => Promise<VerifiedSimilarity | null>) => {
  const known = new Map<string, Promise<VerifiedSimilarity | null>>()
  const findNear = makeFindSimilarVerified(deps)

  const lookUp = async (
    { id, database: name }: State['question'],
    run: NodeRun,
  ): Promise<VerifiedSimilarity | null> => {
    const signal = run.signal ? { signal: run.signal } : {}
    const database = await deps.database(name, signal)
    if ((await deps.listVerified(database.name, signal)).length === 0) return null
    const { understanding, matches } = await deps.runStore.loadContext(id)
    const near = await findNear({ understanding, database, matches, ...signal })
    return near.length === 0 ? null : memoize(deps.likenessTo(near, database.dialect))
  }

  return async ({ question, round }, run) => {
    // A reply in words begins another round, with another text of the question.
    const key = JSON.stringify([question.id, round])
    const looked = known.get(key) ?? lookUp(question, run)
    known.set(key, looked)
    const [oldest] = known.keys()
    if (known.size > MOST_REMEMBERED && oldest !== undefined) known.delete(oldest)
    try {
      return await looked
    } catch {
      known.delete(key)
      run.signal?.throwIfAborted()
      return null
    }
  }
}

/** Every round asks about all statements again. */
const memoize = (measure: VerifiedSimilarity): VerifiedSimilarity => {
  const known = new Map<string, number>()
  return sql => {
    const measured = known.get(sql) ?? measure(sql)
    known.set(sql, measured)
    return measured
  }
}
