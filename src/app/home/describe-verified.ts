import type { CheckAccess } from '../../core/access.ts'
import { parseDatabaseRef } from '../../core/database-view.ts'
import type { DescribeVerified } from '../../core/home.ts'

/** Makes the use case: what the database of a place answers from a query that somebody stands for. */
export const makeDescribeVerified =
  (deps: {
    readonly mayAsk: CheckAccess
    readonly listAccepted: (database: string) => Promise<readonly { readonly question: string }[]>
  }): DescribeVerified =>
  async ({ person, place }) => {
    const access = await deps.mayAsk({ person, place })
    if (access.status !== 'allowed')
      return { status: 'not-allowed', reason: access.reason, nextStep: access.nextStep }
    const { database } = parseDatabaseRef(access.database)
    const accepted = await deps.listAccepted(database)
    return { status: 'verified', database, questions: accepted.map(({ question }) => question) }
  }
