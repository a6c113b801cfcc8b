import type { Tx } from '../../core/tx.ts'
import { type BeginStopDeps, beginStop } from './begin-stop.ts'

/** Takes a question back within a transaction: it is shown no more, and stopped where it is not at its end. */
export type WithdrawQuestion = (questionId: string, by: string | null, tx: Tx) => Promise<void>

/** Makes it. */
export const makeWithdrawQuestion =
  (
    deps: {
      readonly withdraw: (questionId: string, tx: Tx) => Promise<boolean>
    } & BeginStopDeps,
  ): WithdrawQuestion =>
  async (questionId, by, tx) => {
    await deps.withdraw(questionId, tx)
    await beginStop(deps, { questionId, by, tx })
  }
