import { randomBytes } from 'node:crypto'
import { type ForgetPerson, makeForgetPerson } from '../../app/forget-person.ts'
import type { AnswerCache } from '../../core/answer-cache.ts'
import { forgetJobs } from '../../jobs/forget-jobs.ts'
import type { OwnStore } from '../store/open-own-store.ts'

/** Wires the forgetting of a person over our store, its queues, the checkpoints and the cache that processes share. */
export const forgetPersonIn = (
  { store, checkpoints }: OwnStore,
  cache: Pick<AnswerCache, 'forget'>,
): ForgetPerson => {
  const { personalData } = store.repositories
  return makeForgetPerson({
    inTransaction: store.inTransaction,
    listQuestions: personalData.listQuestions,
    forgetRows: personalData.forget,
    forgetJobs: (given, tx) => forgetJobs((sql, values) => store.executeIn(tx, sql, values), given),
    forgetBeside: async questionId => {
      await checkpoints.forget(questionId)
      await cache.forget(questionId)
    },
    newAlias: () => `forgotten-${randomBytes(4).toString('hex')}`,
  })
}
