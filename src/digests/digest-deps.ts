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
  readonly access: Pick<AccessControl, 'mayAsk' | 'reachableDatabases'>
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
