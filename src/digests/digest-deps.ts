import type { AccessControl, NotAllowed } from '../domain/access.ts'
import type { FindAnsweredQuestion } from '../domain/answer.ts'
import type { Database } from '../domain/database.ts'
import type {
  Digest,
  DigestFinding,
  DigestRun,
  DigestRunKey,
  ExecutedStatement,
  NextDue,
  ParseSchedule,
  RelativeSql,
} from '../domain/digest.ts'
import type { ParseDigestWords } from '../domain/digest-use-cases.ts'
import type { SendJob } from '../domain/operations/jobs.ts'
import type { InTransaction, Tx } from '../domain/operations/transaction.ts'
import type { Understanding } from '../domain/question-context.ts'
import type { LoadResult, ResultTable } from '../domain/result.ts'
import type { SchemaSnapshot } from '../domain/schema-drift.ts'
import type { Dialect } from '../domain/sql.ts'

/** What of a digest a use case may change. */
export type DigestPatch = Partial<Omit<Digest, 'id' | 'team' | 'createdAt'>>

/** Finds the relative periods of a question among the literals of its statement. */
export type ReadRelativeSql = (given: {
  readonly sql: string
  readonly dialect: Dialect
  /** Null where it is not known what the question means: then nothing moves. */
  readonly understanding: Understanding | null
}) => { readonly statement: RelativeSql; readonly notes: readonly string[] }

/** What people's use cases of digests need. */
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
    /** Those that go to a channel. */
    countIn(wanted: { readonly team: string; readonly channel: string }, tx?: Tx): Promise<number>
    /** Lets one transaction of a team after the other count. */
    lockTeam(team: string, tx: Tx): Promise<void>
  }
  /** The latest run that somebody wanted at once; null where there was none. */
  readonly lastByHand: (digestId: string, tx: Tx) => Promise<DigestRun | null>
  readonly findStatements: (run: DigestRunKey) => Promise<readonly ExecutedStatement[] | null>
  readonly insertRun: (run: DigestRun, tx: Tx) => Promise<boolean>
  /** What the last run that was told found, by the id of the digest's question. */
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
  readonly access: Pick<AccessControl, 'mayAsk' | 'reachableDatabases'>
  readonly isAdmin: (person: string) => boolean
  /** Digests that there may be; null where there is no limit. */
  readonly most: { readonly perPerson: number | null; readonly perChannel: number | null }
  readonly parseSchedule: ParseSchedule
  readonly readWords: ParseDigestWords
  readonly nextDue: NextDue
  readonly readRelativeSql: ReadRelativeSql
  /** What of a schema a statement stands on, and what it gave; null where that cannot be told. */
  readonly snapshotSchema: (
    sql: string,
    database: Pick<Database, 'dialect' | 'catalog'>,
    result: Pick<ResultTable, 'columns' | 'rows'> | null,
  ) => SchemaSnapshot | null
  readonly loadResult: LoadResult
  /** Takes from a result what conditions look at. */
  readonly findingOf: (table: ResultTable) => DigestFinding
  /** Whether a person makes too much run; counted once for each thing that is to run. */
  readonly limit: (asker: { readonly person: string; readonly team: string }) => Promise<NotAllowed | null>
  readonly newId: () => string
  readonly now: () => Date
}
