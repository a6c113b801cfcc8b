import { QuerentError } from '../domain/errors.ts'
import type { ForgottenRows } from '../domain/operations/audit.ts'
import type { InTransaction, Tx } from '../domain/operations/transaction.ts'

/** Forgets a person everywhere in our store, or only counts what that would change. */
export type ForgetPerson = (
  person: string,
  options: { readonly only: 'count' | 'forget' },
) => Promise<ForgottenRows>

/** An id: of Slack, or of a user of a shell. Anything else would be searched for in vain. */
const ID = /^[A-Za-z0-9][\w.@-]{0,99}$/

/**
 * Makes the use case. Counting does the same work and takes it back, so that what is shown is what will go. Run again
 * after a crash it goes on where it stood: rows go in one transaction, and what lies beside them goes before and after.
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
    /** Checkpoints and cached answers of one question. */
    readonly forgetBeside: (questionId: string) => Promise<void>
    /** A name that means nobody, new each time. */
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
    // A worker may have written on until its question was gone.
    await forgetBeside(outcome.questionIds)
    return outcome.rows
  }

/** Carries the counts out of a transaction that is rolled back. */
class RolledBack extends Error {
  readonly rows: ForgottenRows

  constructor(rows: ForgottenRows) {
    super('counted only')
    this.rows = rows
  }
}
