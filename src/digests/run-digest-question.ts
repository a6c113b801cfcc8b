import type { Database } from '../domain/database.ts'
import type {
  Digest,
  DigestPart,
  DigestQuestion,
  DigestRepair,
  RelativeSql,
  RepairProposal,
} from '../domain/digests/digest.ts'
import { QuerentError, SqlError, type SqlErrorClass } from '../domain/errors.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type { ResultTable } from '../domain/result.ts'
import type { SchemaSnapshot } from '../domain/schema-drift.ts'

/** A statement resolved for one day; `lost` if its words no longer mean what they meant when it was saved. */
export type ResolveStatement = (
  statement: RelativeSql,
  today: string,
) =>
  | { readonly status: 'resolved'; readonly sql: string; readonly periods: readonly string[] }
  | { readonly status: 'lost'; readonly phrase: string }

/** Proposed repairs of a statement that no longer fits the schema. */
interface RepairProposals {
  /** Missing tables and columns, such as `the table hires`; empty if unknown. */
  readonly gone: readonly string[]
  /** Possible replacements, likeliest first: one, or two that are equally likely. */
  readonly proposals: readonly RepairProposal[]
}

/** Looks for repairs. Rejects if nothing can be run now. */
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

/** The result of one question. `away`: the database could not be reached, which may be temporary. */
export type DigestQuestionRun =
  | {
      readonly status: 'ran'
      readonly question: DigestQuestion
      readonly sql: string
      readonly table: ResultTable
      readonly periods: readonly string[]
      /** The current catalog, if it differs from the stored one; otherwise null. */
      readonly fit: SchemaFit | null
      /** The owner may not export the rows. */
      readonly noFile?: true
    }
  | { readonly status: 'failed'; readonly part: FailedPart; readonly repair: DigestRepair | null }
  | { readonly status: 'away'; readonly part: FailedPart }

/** The catalog a statement fits, and the part of it the statement depends on. */
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
 * Resolves the statement for the day and runs it, guarded, read-only and under the database's caps. If it fails and the
 * schema has changed, looks for a repair; nothing else is run.
 */
export const makeRunDigestQuestion =
  (deps: {
    readonly openDatabase: (name: string, options: { signal?: AbortSignal }) => Promise<Database>
    /** Fingerprint of the current schema: the catalog of an open database may be a while old. */
    readonly readFingerprint: (name: string, options: { signal?: AbortSignal }) => Promise<string>
    readonly resolveStatement: ResolveStatement
    readonly proposeRepair: ProposeRepair
    /** What a statement depends on; null if it cannot be determined. */
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
        return {
          ...{ status: 'ran', question, sql, table, periods },
          fit: fitOf(question, database, table),
          ...(database.rights?.mayExport === false && { noFile: true }),
        }
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
      // A used-up budget resets tomorrow: trying again in a minute would not help.
      if (isOurs && error.code === 'budget-spent')
        return { status: 'failed', part: failed(error.message, retriedNextTime), repair: null }
      const reason = isOurs
        ? error.message
        : 'Something went wrong on my side; an admin can find the cause in the log'
      return { status: 'away', part: failed(reason, retriedNextTime) }
    }
  }

/** Missing names explain more than the database's message. */
const failureReason = (gone: readonly string[], message: string): string =>
  gone.length === 0
    ? message
    : `${gone.join(' and ')} ${gone.length === 1 ? 'is' : 'are'} gone (${message.replace(/[.]$/, '')})`

const askAgain = 'Ask the question again and schedule the new answer instead.'

const retriedNextTime = "I'll try again at the next scheduled time."

const narrowQuestion = 'Narrow the question and schedule the new answer instead.'

/** Next steps for errors that have nothing to do with the schema. */
const nextStepAfter: Partial<Record<SqlErrorClass, string>> = {
  timeout: narrowQuestion,
  'too-heavy': narrowQuestion,
  'over-budget': retriedNextTime,
}

/** Errors that a schema change can cause. A refusal can too, because the guard knows the tables. */
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
