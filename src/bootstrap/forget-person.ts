import { randomBytes } from 'node:crypto'
import { type ForgetPerson, makeForgetPerson } from '../audit/forget-person.ts'
import type { AnswerCache } from '../domain/answer-cache.ts'
import { deleteJobsOfPerson } from '../jobs/pg-boss-tables.ts'
import { eraseFromAuditFiles } from '../store/audit-file/erase-person.ts'
import type { OwnStore } from './own-store.ts'

/**
 * Deletes a person from the store, its queues, the checkpoints, the shared cache, and the audit log files. The store
 * and the files use the same alias.
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
