import { QuerentError } from '../domain/errors.ts'
import type { ForgottenRows } from '../domain/operations/audit.ts'
import type { InTransaction, Tx } from '../domain/operations/jobs.ts'

/** Deletes a person's data from the store, or only counts what that would change. */
export type ForgetPerson = (
  person: string,
  options: { readonly only: 'count' | 'forget' },
) => Promise<ForgottenRows>

/** A Slack id or a shell user. Searching for anything else would find nothing. */
const ID = /^[A-Za-z0-9][\w.@-]{0,99}$/

/**
 * Counting does the same work and rolls it back, so the preview is exact. After a crash it continues: rows are deleted
 * in one transaction, and data outside the store before and after it.
 */
export const makeForgetPerson =
  (deps: {
    readonly inTransaction: InTransaction
    readonly listQuestions: (person: string, tx?: Tx) => Promise<readonly string[]>
    readonly forgetRows: (person: string, alias: string, tx: Tx) => Promise<ForgottenRows>
    readonly forgetJobs: (
      given: { readonly person: string; readonly questionIds: readonly string[] },
      tx: Tx,
    ) => Promise<number>
    /** Deletes checkpoints and cached answers of a question. */
    readonly forgetBeside: (questionId: string) => Promise<void>
    /** A new alias that identifies nobody. */
    readonly newAlias: () => string
  }): ForgetPerson =>
  async (person, { only }) => {
    if (!ID.test(person)) {
      throw new QuerentError(
        'bad-arguments',
        `“${person}” is not a member ID. In Slack, open the person’s profile and choose “Copy member ID”; it looks like U012AB3CD`,
      )
    }
    const forgetBeside = async (ids: readonly string[]): Promise<void> => {
      for (const id of ids) await deps.forgetBeside(id)
    }
    const asked = only === 'forget' ? await deps.listQuestions(person) : []
    await forgetBeside(asked)
    const outcome = await deps
      .inTransaction(async tx => {
        const questionIds = await deps.listQuestions(person, tx)
        const jobs = await deps.forgetJobs({ person, questionIds }, tx)
        const rows = { ...(await deps.forgetRows(person, deps.newAlias(), tx)), jobs }
        if (only === 'count') throw new RolledBack(rows)
        return { rows, questionIds }
      })
      .catch((error: unknown) => {
        if (error instanceof RolledBack) return { rows: error.rows, questionIds: [] }
        throw error
      })
    // A worker may have kept writing until its question was deleted.
    await forgetBeside(outcome.questionIds)
    return outcome.rows
  }

/** Carries the counts out of the rolled back transaction. */
class RolledBack extends Error {
  readonly rows: ForgottenRows

  constructor(rows: ForgottenRows) {
    super('counted only')
    this.rows = rows
  }
}
