import type { AccessControl, LookupPatience, NotAllowed } from '../domain/access/access.ts'
import type { FindAnsweredQuestion } from '../domain/answer.ts'
import { type Database, parseDatabaseRef, withoutRights } from '../domain/database.ts'
import type {
  Digest,
  DigestFinding,
  DigestRun,
  DigestRunKey,
  ExecutedStatement,
  NextDue,
  ParseSchedule,
  RelativeSql,
} from '../domain/digests/digest.ts'
import type { ParseDigestWords } from '../domain/digests/use-cases.ts'
import type { InTransaction, SendJob, Tx } from '../domain/operations/jobs.ts'
import type { Understanding } from '../domain/question-context.ts'
import type { LoadResult, ResultTable } from '../domain/result.ts'
import type { SchemaSnapshot } from '../domain/schema-drift.ts'
import type { Dialect } from '../domain/sql.ts'

/** The parts of a digest that a use case can change. */
export type DigestPatch = Partial<Omit<Digest, 'id' | 'team' | 'createdAt'>>

/** Finds the relative periods of a question in the literals of its statement. */
export type ReadRelativeSql = (given: {
  readonly sql: string
  readonly dialect: Dialect
  /** Null if the question's meaning is unknown: then nothing moves. */
  readonly understanding: Understanding | null
}) => { readonly statement: RelativeSql; readonly notes: readonly string[] }

/** Dependencies of the digest use cases. */
export interface DigestDeps {
  readonly digests: {
    insert(digest: Digest, request: string, tx?: Tx): Promise<boolean>
    findByRequest(request: string, tx?: Tx): Promise<Digest | null>
    find(id: string, tx?: Tx): Promise<Digest | null>
    lock(id: string, tx: Tx): Promise<Digest | null>
    change(id: string, changes: DigestPatch, tx?: Tx): Promise<Digest | null>
    remove(id: string, tx?: Tx): Promise<boolean>
    list(wanted: {
      readonly team: string
      readonly owner: string | null
      readonly offset: number
      readonly limit: number
    }): Promise<readonly Digest[]>
    count(wanted: { readonly team: string; readonly owner: string | null }, tx?: Tx): Promise<number>
    /** Counts digests that go to a channel. */
    countIn(wanted: { readonly team: string; readonly channel: string }, tx?: Tx): Promise<number>
    /** Serializes transactions that count a team's digests. */
    lockTeam(team: string, tx: Tx): Promise<void>
  }
  /** The latest manual run; null if there is none. */
  readonly lastByHand: (digestId: string, tx: Tx) => Promise<DigestRun | null>
  readonly findStatements: (run: DigestRunKey) => Promise<readonly ExecutedStatement[] | null>
  readonly insertRun: (run: DigestRun, tx: Tx) => Promise<boolean>
  /** Findings of the last posted run, by digest question id. */
  readonly listFindings: (
    digestId: string,
    tx: Tx,
  ) => Promise<ReadonlyMap<string, { readonly finding: DigestFinding }>>
  readonly removeFinding: (digestId: string, questionId: string, tx: Tx) => Promise<void>
  readonly inTransaction: InTransaction
  readonly sendJob: SendJob
  readonly findAnswered: FindAnsweredQuestion
  readonly findUnderstanding: (questionId: string) => Promise<Understanding | null>
  readonly openDatabase: (name: string) => Promise<Pick<Database, 'dialect' | 'catalog' | 'guard'>>
  readonly access: Pick<AccessControl, 'mayAsk' | 'reachableDatabases' | 'audience'>
  readonly isAdmin: (person: string) => boolean
  /** The most digests allowed; null for no limit. */
  readonly most: { readonly perPerson: number | null; readonly perChannel: number | null }
  readonly parseSchedule: ParseSchedule
  readonly readWords: ParseDigestWords
  readonly nextDue: NextDue
  readonly readRelativeSql: ReadRelativeSql
  /** The part of a schema that a statement depends on, and the shape of its result; null if it cannot be determined. */
  readonly snapshotSchema: (
    sql: string,
    database: Pick<Database, 'dialect' | 'catalog'>,
    result: Pick<ResultTable, 'columns' | 'rows'> | null,
  ) => SchemaSnapshot | null
  readonly loadResult: LoadResult
  /** Extracts what conditions compare from a result. */
  readonly findingOf: (table: ResultTable) => DigestFinding
  /** Counts a run started by a person against the rate limit. */
  readonly limit: (asker: { readonly person: string; readonly team: string }) => Promise<NotAllowed | null>
  readonly newId: () => string
  readonly now: () => Date
}

/**
 * Whether the owner of a digest can have it posted to its target. `unknown`: the platform did not provide what the
 * decision needs.
 */
export type CanReceive = (
  digest: Pick<Digest, 'team' | 'owner' | 'target' | 'questions'>,
  /** `isFresh`, `mustKnow`: as for `CheckAudience`. */
  options?: { readonly patience?: LookupPatience; readonly isFresh?: boolean; readonly mustKnow?: boolean },
) => Promise<
  /** With the databases as the owner sees them now, by the names that the digest has. */
  | { readonly status: 'allowed'; readonly views: ReadonlyMap<string, string> }
  | NotAllowed
  | { readonly status: 'unknown'; readonly reason: string; readonly nextStep: string }
>

/**
 * The owner must be in the channel and allowed to ask every database of the digest there, because everyone in it sees
 * the rows. A digest for the owner alone can use any database the owner can ask somewhere.
 */
export const makeCanReceive =
  (access: Pick<AccessControl, 'mayAsk' | 'reachableDatabases' | 'audience'>): CanReceive =>
  async (
    { team, owner, target, questions },
    { patience = 'quick', isFresh = true, mustKnow = false } = {},
  ) => {
    const databases = [...new Set(questions.map(({ database }) => database))]
    if (target.kind === 'person') {
      if (target.person !== owner) return notToOtherPeople
      return canReachDatabases(access, { team, owner, databases, patience })
    }
    const views = new Map<string, string>()
    for (const asks of databases) {
      const given = { person: owner, location: { team, channel: target.channel }, asks }
      const result = await access.mayAsk(given, { patience, asMember: true })
      if (result.status === 'allowed') {
        const { channel } = target
        const audience = await access.audience(
          { team, channel, database: result.database },
          { patience, isFresh, mustKnow },
        )
        if (audience.kind === 'some') return notForChannel
        views.set(asks, result.database)
        continue
      }
      const { status, reason, nextStep } = result
      return { status: status === 'refused' ? 'not-allowed' : 'unknown', reason, nextStep }
    }
    return { status: 'allowed', views }
  }

/**
 * Whether everyone who is in the channel of a digest now may see its rows. If its owner may not ask any more, their
 * rights are unknown, and only what is open to everyone counts. Rejects if Slack does not tell.
 */
export const makeIsForAll =
  (access: Parameters<typeof makeCanReceive>[0]) =>
  async (digest: Parameters<CanReceive>[0]): Promise<boolean> => {
    const certain = { patience: 'patient', isFresh: true, mustKnow: true } as const
    const received = await makeCanReceive(access)(digest, certain)
    if (received.status === 'unknown') throw new Error(received.reason)
    if (received.status === 'allowed') return true
    if (received === notForChannel || digest.target.kind !== 'channel') return false
    const { channel } = digest.target
    for (const { database } of digest.questions) {
      const { kind } = await access.audience({ team: digest.team, channel, database }, certain)
      if (kind === 'some') return false
    }
    return true
  }

const notForChannel: NotAllowed = {
  status: 'not-allowed',
  reason: 'Not everyone in the channel may see what this digest shows.',
  nextStep: 'Send it to yourself, or ask an admin to set `audience` for the channel in querent.yml.',
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
  const views = new Map(known.map(({ database }) => [withoutRights(database), database]))
  const missing = databases.find(database => !views.has(database))
  if (missing === undefined) return { status: 'allowed', views }
  return {
    status: 'not-allowed',
    reason: `The owner no longer has access to the database ${parseDatabaseRef(missing).database} in any channel.`,
    nextStep: 'Ask an admin, or give the digest to an owner who has access.',
  }
}
