import type { Database } from '../domain/database.ts'
import type {
  Digest,
  DigestPart,
  DigestQuestion,
  DigestRepair,
  RelativeSql,
  RepairProposal,
} from '../domain/digest.ts'
import { QuerentError, SqlError, type SqlErrorClass } from '../domain/errors.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type { ResultTable } from '../domain/result.ts'
import type { SchemaSnapshot } from '../domain/schema-drift.ts'

/** A statement as it is on one day; `lost` where its words do not mean any more what they meant when it was saved. */
export type ResolveStatement = (
  statement: RelativeSql,
  today: string,
) =>
  | { readonly status: 'resolved'; readonly sql: string; readonly periods: readonly string[] }
  | { readonly status: 'lost'; readonly phrase: string }

/** What became of a statement that the schema has left behind. */
interface RepairProposals {
  /** Tables and columns that are not there any more, such as `the table hires`; none where that is not known. */
  readonly gone: readonly string[]
  /** What could run in its place, the likeliest first: one, or two where they are as likely. */
  readonly proposals: readonly RepairProposal[]
}

/** Looks for it. Rejects where nothing can be run now. */
export type ProposeRepair = (given: {
  readonly digest: Digest
  readonly paidBy: string
  readonly question: DigestQuestion
  readonly database: Database
  readonly errorClass: SqlErrorClass
  readonly message: string
  readonly today: string
  readonly signal?: AbortSignal
}) => Promise<RepairProposals>

/** How one question of a run went. `away`: the database could not be reached, which may pass. */
export type DigestQuestionRun =
  | {
      readonly status: 'ran'
      readonly question: DigestQuestion
      readonly sql: string
      readonly table: ResultTable
      readonly periods: readonly string[]
      /** The catalog as it is, where that is not what was kept; else null. */
      readonly fit: SchemaFit | null
    }
  | { readonly status: 'failed'; readonly part: FailedPart; readonly repair: DigestRepair | null }
  | { readonly status: 'away'; readonly part: FailedPart }

/** Which catalog a statement fits, and what of it the statement stands on. */
export type SchemaFit = Pick<DigestQuestion, 'fingerprint' | 'known'>

type FailedPart = DigestPart & { readonly status: 'failed' }

/** Runs one question of a digest for a day (ISO). Rejects only when the signal fires. */
export type RunDigestQuestion = (
  question: DigestQuestion,
  given: {
    readonly digest: Digest
    /** Who pays for what is run. */
    readonly paidBy: string
    readonly today: string
    readonly signal?: AbortSignal
  },
) => Promise<DigestQuestionRun>

/**
 * Makes it: the statement of the day, guarded and run read-only under the caps of its database. Where that fails and the
 * schema is not the one that the statement was made for, a repair is looked for, and nothing else runs.
 */
export const makeRunDigestQuestion =
  (deps: {
    readonly openDatabase: (name: string, options: { signal?: AbortSignal }) => Promise<Database>
    /** The fingerprint of the schema as it is now: the catalog of an open database may be a while old. */
    readonly readFingerprint: (name: string, options: { signal?: AbortSignal }) => Promise<string>
    readonly resolveStatement: ResolveStatement
    readonly proposeRepair: ProposeRepair
    /** What a statement stands on; null where that cannot be told. */
    readonly snapshotSchema: (sql: string, database: Database, table: ResultTable) => SchemaSnapshot | null
    readonly now: () => Date
    readonly log: Log
  }): RunDigestQuestion =>
  async (question, { digest, paidBy, today, signal }) => {
    const options = signal ? { signal } : {}
    const failed = (reason: string, nextStep: string): FailedPart => ({
      status: 'failed',
      question,
      reason: sentence(reason),
      nextStep,
    })
    const resolved = deps.resolveStatement(question.statement, today)
    if (resolved.status === 'lost')
      return {
        status: 'failed',
        part: failed(
          `The period “${resolved.phrase}” no longer means what it meant when this was scheduled`,
          askAgain,
        ),
        repair: null,
      }

    const broken = async (
      database: Database,
      errorClass: SqlErrorClass,
      message: string,
    ): Promise<DigestQuestionRun> => {
      const fingerprint = await deps.readFingerprint(question.database, options)
      if (fingerprint === question.fingerprint || !isSchemaError(errorClass))
        return { status: 'failed', part: failed(message, askAgain), repair: null }
      const given = { digest, paidBy, question, database, errorClass, message, today, ...options }
      const { gone, proposals } = await deps.proposeRepair(given).catch((error: unknown): RepairProposals => {
        signal?.throwIfAborted()
        deps.log.warn({ error }, 'could not look for a repair of a digest statement')
        return { gone: [], proposals: [] }
      })
      const reason = `The schema changed and its SQL no longer runs: ${failureReason(gone, message)}`
      const [first, other] = proposals
      const repair: DigestRepair = {
        questionId: question.id,
        reason: sentence(reason),
        statement: first?.statement ?? null,
        ...(first && { says: first.says }),
        ...(other && { other }),
        proposedAt: deps.now(),
      }
      return { status: 'failed', part: failed(reason, 'Its owner is asked what to run instead.'), repair }
    }

    const fitOf = (
      { fingerprint, known, statement }: DigestQuestion,
      database: Database,
      table: ResultTable,
    ): SchemaFit | null => {
      if (fingerprint === database.catalog.fingerprint && known) return null
      const now = deps.snapshotSchema(statement.sql, database, table)
      if (fingerprint === database.catalog.fingerprint && !now) return null
      return { fingerprint: database.catalog.fingerprint, known: now ?? undefined }
    }

    try {
      const database = await deps.openDatabase(question.database, options)
      const verdict = database.guard(resolved.sql)
      if (verdict.verdict === 'refuse') return await broken(database, 'refused', verdict.reason)
      try {
        const table = await database.run(verdict.guarded, options)
        const { sql, periods } = resolved
        return { status: 'ran', question, sql, table, periods, fit: fitOf(question, database, table) }
      } catch (error) {
        signal?.throwIfAborted()
        if (!(error instanceof SqlError) || error.errorClass === 'connection') throw error
        const nextStep = nextStepAfter[error.errorClass]
        if (nextStep === undefined) return await broken(database, error.errorClass, error.message)
        return { status: 'failed', part: failed(error.message, nextStep), repair: null }
      }
    } catch (error) {
      signal?.throwIfAborted()
      const isOurs = error instanceof QuerentError
      deps.log.warn({ error, database: question.database }, 'could not run a digest question')
      if (isOurs && error.code === 'unknown-database')
        return { status: 'failed', part: failed(error.message, askAgain), repair: null }
      // What is spent is spent until tomorrow: trying again in a minute would not help.
      if (isOurs && error.code === 'budget-spent')
        return { status: 'failed', part: failed(error.message, retriedNextTime), repair: null }
      const reason = isOurs
        ? error.message
        : 'Something went wrong on my side; an admin can find the cause in the log'
      return { status: 'away', part: failed(reason, retriedNextTime) }
    }
  }

/** The names that are gone say more than the database does. */
const failureReason = (gone: readonly string[], message: string): string =>
  gone.length === 0
    ? message
    : `${gone.join(' and ')} ${gone.length === 1 ? 'is' : 'are'} gone (${message.replace(/[.]$/, '')})`

const askAgain = 'Ask the question again and schedule the new answer instead.'

const retriedNextTime = "I'll try again at the next scheduled time."

const narrowQuestion = 'Narrow the question and schedule the new answer instead.'

/** What to do about what has nothing to do with the schema, whatever it is. */
const nextStepAfter: Partial<Record<SqlErrorClass, string>> = {
  timeout: narrowQuestion,
  'too-heavy': narrowQuestion,
  'over-budget': retriedNextTime,
}

/** What a change of the schema brings about. A refusal may come from it too: the guard knows the tables. */
const schemaErrors: ReadonlySet<SqlErrorClass> = new Set([
  'refused',
  'syntax',
  'unknown-table',
  'unknown-column',
  'ambiguous-column',
  'type-mismatch',
  'function',
  'aggregation',
])

const isSchemaError = (errorClass: SqlErrorClass): boolean => schemaErrors.has(errorClass)

const sentence = (text: string): string => (/[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`)
