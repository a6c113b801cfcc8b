import { randomBytes } from 'node:crypto'
import { type ForgetPerson, makeForgetPerson } from '../../app/forget-person.ts'
import type { AnswerCache } from '../../core/answer-cache.ts'
import { deleteJobsOfPerson } from '../../jobs/forget-jobs.ts'
import { eraseFromAuditFiles } from '../../store/audit-file/forget-in-days.ts'
import type { OwnStore } from '../store/open-own-store.ts'

/**
 * Wires the forgetting of a person over our store, its queues, the checkpoints, the cache that processes share, and the
 * files of the audit log in a folder. The same name that means nobody stands in the store and in the files.
 */
export const makeForgetPersonEverywhere = (
  { store, checkpoints }: OwnStore,
  cache: Pick<AnswerCache, 'forget'>,
  auditFolder: string,
): ForgetPerson => {
  const { personalData } = store.repositories
  return async (person, options) => {
    const alias = `forgotten-${randomBytes(4).toString('hex')}`
    const forget = makeForgetPerson({
      inTransaction: store.inTransaction,
      listQuestions: personalData.listQuestions,
      forgetRows: personalData.forget,
      forgetJobs: (given, tx) => deleteJobsOfPerson((sql, values) => store.executeIn(tx, sql, values), given),
      forgetBeside: async questionId => {
        await checkpoints.forget(questionId)
        await cache.forget(questionId)
      },
      newAlias: () => alias,
    })
    const rows = await forget(person, options)
    const inFiles = await eraseFromAuditFiles(auditFolder, { person, alias }, options)
    return {
      ...rows,
      statements: rows.statements + inFiles.statements,
      mentions: rows.mentions + inFiles.mentions,
    }
  }
}
