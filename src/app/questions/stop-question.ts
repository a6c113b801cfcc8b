import type { LocatedQuestion } from '../../core/delivery.ts'
import type { StopQuestion } from '../../core/stop.ts'
import type { InTransaction } from '../../core/tx.ts'
import { type BeginStopDeps, beginStop } from './begin-stop.ts'

/**
 * Makes the use case. Marking the question, telling the process that works on it, and the job that ends it if that
 * process is dead are one transaction: a stop that was acknowledged happens, whatever dies next.
 */
export const makeStopQuestion =
  (
    deps: {
      readonly inTransaction: InTransaction
      readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
      readonly isAdmin: (person: string) => boolean
    } & BeginStopDeps,
  ): StopQuestion =>
  async ({ questionId, person }) => {
    const placed = await deps.findPlaced(questionId)
    if (!placed) return 'over'
    if (placed.question.askedBy !== person && !deps.isAdmin(person)) return 'not-allowed'
    return deps.inTransaction(async tx =>
      (await beginStop(deps, { questionId, by: person, tx })) ? 'stopping' : 'over',
    )
  }
