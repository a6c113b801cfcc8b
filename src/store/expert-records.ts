import type { InTransaction } from '../domain/operations/jobs.ts'
import { changesOfMistakes, type ExpertRecords } from '../domain/selection/experts.ts'
import type { Repositories } from './repositories/repositories.ts'

/**
 * Records of experts in the store. A round is locked while it is settled, so that of votes at the same time the last one
 * sees all of them.
 */
export const makeStoredExpertRecords = (
  { expertRounds }: Pick<Repositories, 'expertRounds'>,
  inTransaction: InTransaction,
): ExpertRecords => ({
  listMistakes: () => expertRounds.listMistakes(),
  saveRound: round => expertRounds.upsert(round),
  settleRound: (questionId, judge) =>
    inTransaction(async tx => {
      const stored = await expertRounds.lock(questionId, tx)
      if (stored === null) return
      const wrong = await judge(stored.round)
      await expertRounds.settle(questionId, wrong, tx)
      // In one order everywhere, so that two questions that are settled at the same time never wait for each other.
      const changes = [...changesOfMistakes(stored.wrong ?? [], wrong ?? [])]
      for (const [expert, change] of changes.sort(([a], [b]) => (a < b ? -1 : 1)))
        await expertRounds.addMistakes(expert, change, tx)
    }),
})
