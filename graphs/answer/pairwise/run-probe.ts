import type { Database } from '../../../src/core/database.ts'
import type { ResultTable } from '../../../src/core/result.ts'
import type { NodeRun } from '../deps.ts'

/** Small queries that one question may cost: a hundred pairs may each have their own. */
const MOST_PROBES = 20

/**
 * Makes how the small queries of one question are run: through the guard as any other statement, equal ones once, and no
 * more than a fixed number. Null for what was refused, failed or is over that number. Rejects only on a stop.
 */
export const makeRunProbe = (
  { guard, run }: Pick<Database, 'guard' | 'run'>,
  { signal }: Pick<NodeRun, 'signal'>,
): ((sql: string) => Promise<ResultTable | null>) => {
  const known = new Map<string, Promise<ResultTable | null>>()

  const runOnce = async (sql: string): Promise<ResultTable | null> => {
    const verdict = guard(sql)
    if (verdict.verdict === 'refuse') return null
    try {
      return await run(verdict.guarded, signal ? { signal } : {})
    } catch {
      signal?.throwIfAborted()
      return null
    }
  }

  return async sql => {
    const ran = known.get(sql)
    if (ran !== undefined) return ran
    if (known.size >= MOST_PROBES) return null
    const running = runOnce(sql)
    known.set(sql, running)
    return running
  }
}
