import type { AccessControl, LookupPatience, NotAllowed } from '../domain/access.ts'
import { parseDatabaseRef } from '../domain/database.ts'
import type { Digest } from '../domain/digest.ts'

/**
 * Whether the owner of a digest can have it posted to its target. `unknown`: the platform did not provide what the
 * decision needs.
 */
export type CanReceive = (
  digest: Pick<Digest, 'team' | 'owner' | 'target' | 'questions'>,
  options?: { readonly patience?: LookupPatience },
) => Promise<
  | { readonly status: 'allowed' }
  | NotAllowed
  | { readonly status: 'unknown'; readonly reason: string; readonly nextStep: string }
>

/**
 * The owner must be in the channel and allowed to ask every database of the digest there, because everyone in it sees
 * the rows. A digest for the owner alone can use any database the owner can ask somewhere.
 */
export const makeCanReceive =
  (access: Pick<AccessControl, 'mayAsk' | 'reachableDatabases'>): CanReceive =>
  async ({ team, owner, target, questions }, { patience = 'quick' } = {}) => {
    const databases = [...new Set(questions.map(({ database }) => database))]
    if (target.kind === 'person') {
      if (target.person !== owner) return notToOtherPeople
      return canReachDatabases(access, { team, owner, databases, patience })
    }
    for (const database of databases) {
      const given = { person: owner, location: { team, channel: target.channel }, database }
      const { status, ...result } = await access.mayAsk(given, { patience, asMember: true })
      if (status === 'allowed') continue
      const { reason, nextStep } = result as { reason: string; nextStep: string }
      return { status: status === 'refused' ? 'not-allowed' : 'unknown', reason, nextStep }
    }
    return { status: 'allowed' }
  }

const notToOtherPeople: NotAllowed = {
  status: 'not-allowed',
  reason: "A digest goes to a channel or to its owner, not into other people's direct messages.",
  nextStep: 'Choose a channel or yourself.',
}

const canReachDatabases = async (
  { reachableDatabases: reachable }: Pick<AccessControl, 'reachableDatabases'>,
  given: {
    readonly team: string
    readonly owner: string
    readonly databases: readonly string[]
    readonly patience: LookupPatience
  },
): ReturnType<CanReceive> => {
  const { team, owner, databases, patience } = given
  let known: Awaited<ReturnType<typeof reachable>>
  try {
    known = await reachable({ person: owner, team, patience })
  } catch {
    return {
      status: 'unknown',
      reason: 'Slack did not tell me which channels the owner of this digest is in.',
      nextStep: 'Try again in a minute.',
    }
  }
  const missing = databases.find(database => !known.some(entry => entry.database === database))
  if (missing === undefined) return { status: 'allowed' }
  return {
    status: 'not-allowed',
    reason: `The owner no longer has access to the database ${parseDatabaseRef(missing).database} in any channel.`,
    nextStep: 'Ask an admin, or give the digest to an owner who has access.',
  }
}
