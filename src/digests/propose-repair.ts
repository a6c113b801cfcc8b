import type { AnswerReport } from '../domain/answer.ts'
import type { FixSql } from '../domain/candidate.ts'
import type { Catalog } from '../domain/catalog.ts'
import type { Database } from '../domain/database.ts'
import type {
  Digest,
  DigestFinding,
  DigestQuestion,
  RelativeSql,
  RepairProposal,
} from '../domain/digests/digest.ts'
import { SqlError, type SqlErrorClass } from '../domain/errors.ts'
import type { Question } from '../domain/question.ts'
import type { LinkedSchema, Understanding, UnderstandQuestion } from '../domain/question-context.ts'
import type { ResultTable } from '../domain/result.ts'
import type { ProposeRenamings, SchemaSnapshot } from '../domain/schema-drift.ts'
import type { ReadRelativeSql } from './digest-deps.ts'
import type { ProposeRepair, ResolveStatement } from './run-digest-question.ts'

const MAX_ROUNDS = 3

/** A repair with less evidence is proposed only if asking the question again gives nothing better. */
const MIN_LIKENESS = 0.5

/** Two repairs are both offered if their ratings differ by no more than this. */
const MAX_RATING_GAP = 0.08

/** Likeness of a result that cannot be compared. */
const NEUTRAL_LIKENESS = 0.5

/** Likeness of a rule-based repair and of a new answer before they are run. */
const RULE_LIKENESS = 0.6

const ANSWER_LIKENESS = 0.5

/** Results count for more than names. */
const RESULT_WEIGHT = 0.6

interface ProposeRepairDeps {
  readonly proposeRenamings: ProposeRenamings
  readonly fixers: readonly FixSql[]
  /** Asks the digest's question again; null if that is turned off. */
  readonly askAgain: AskAgain | null
  readonly understand: UnderstandQuestion
  /** Finds the same periods in another text of the statement; null if one of them is missing. */
  readonly findPeriodsAgain: (
    before: RelativeSql,
    sql: string,
    dialect: Database['dialect'],
  ) => RelativeSql | null
  readonly resolveStatement: ResolveStatement
  /** Reads the current schema: the catalog of an open database may be a while old. */
  readonly readCatalog: (name: string, options: { signal?: AbortSignal }) => Promise<Catalog>
  /** Finding of the last posted run; null if there is none. */
  readonly lastFinding: (digestId: string, questionId: string) => Promise<DigestFinding | null>
  readonly findingOf: (table: ResultTable) => DigestFinding
  /** How similar a result is to the earlier ones, 0 to 1; null if nothing is known about them. */
  readonly resultLikeness: (
    before: { readonly shape: SchemaSnapshot['result']; readonly finding: DigestFinding | null },
    now: { readonly table: ResultTable; readonly finding: DigestFinding },
  ) => number | null
}

/** A repair that ran, with its rating. */
interface Rated extends RepairProposal {
  readonly rating: number
}

/**
 * Looks for the missing names in the current schema, then tries rules for drafts, and if neither fits asks the question
 * again. The saved statement is changed, so that its periods are found again. A repair is proposed only if, on the day
 * of the run, the guard allows it and the database runs it; the one whose result most resembles the last comes first.
 */
export const makeProposeRepair =
  (deps: ProposeRepairDeps): ProposeRepair =>
  async given => {
    const { digest, paidBy, question, today, signal } = given
    const options = signal ? { signal } : {}
    const catalog = await deps.readCatalog(question.database, options)
    const database = { ...given.database, catalog }
    const before = question.statement
    const { dialect } = database
    const past = {
      shape: question.known?.result ?? null,
      finding: await deps.lastFinding(digest.id, question.id),
    }
    const tried = new Map<string, Rated | null>()
    const rate = (table: ResultTable, likeness: number): number => {
      const looks = deps.resultLikeness(past, { table, finding: deps.findingOf(table) }) ?? NEUTRAL_LIKENESS
      return RESULT_WEIGHT * looks + (1 - RESULT_WEIGHT) * likeness
    }
    /** Runs a repair that was not tried yet; returns the error, or null. */
    const tryOne = async (
      statement: RelativeSql,
      { says, likeness }: { readonly says: readonly string[]; readonly likeness: number },
    ): Promise<Failing | null> => {
      const trial = await tryStatement(today, statement, database, deps.resolveStatement, signal)
      if ('table' in trial) tried.set(statement.sql, { statement, says, rating: rate(trial.table, likeness) })
      return 'table' in trial ? null : trial
    }

    const { sql } = before
    const { gone, renamings } = deps.proposeRenamings({
      sql,
      dialect,
      catalog,
      known: question.known ?? null,
    })
    for (const renaming of renamings) {
      const statement = deps.findPeriodsAgain(before, renaming.sql, dialect)
      if (statement && !tried.has(statement.sql)) await tryOne(statement, renaming)
    }
    for (const fix of deps.fixers) await fixStatement(fix, deps, { ...given, database, tried, tryOne })
    if (deps.askAgain && !ranked(tried).some(({ rating }) => rating >= MIN_LIKENESS)) {
      const asked = await deps.askAgain(question, { digest, paidBy, ...options }).catch(() => {
        // The repairs found so far are still useful.
        signal?.throwIfAborted()
        return null
      })
      if (asked && !tried.has(asked.statement.sql))
        await tryOne(asked.statement, {
          says: ['I asked the question again on the current schema', ...asked.notes],
          likeness: ANSWER_LIKENESS,
        })
    }
    const [first, second] = ranked(tried)
    const proposals = [
      ...(first ? [first] : []),
      ...(first && second && first.rating - second.rating <= MAX_RATING_GAP ? [second] : []),
    ]
    return { gone, proposals: proposals.map(({ statement, says }) => ({ statement, says })) }
  }

interface Failing {
  readonly errorClass: SqlErrorClass
  readonly message: string
}

const ranked = (tried: ReadonlyMap<string, Rated | null>): readonly Rated[] =>
  [...tried.values()].filter(found => found !== null).sort((a, b) => b.rating - a.rating)

/** Applies a rule-based fixer for a few rounds, until its statement runs. */
const fixStatement = async (
  fix: FixSql,
  deps: Pick<ProposeRepairDeps, 'understand' | 'findPeriodsAgain'>,
  given: Omit<Parameters<ProposeRepair>[0], 'digest' | 'paidBy'> & {
    readonly tried: ReadonlyMap<string, unknown>
    readonly tryOne: (
      statement: RelativeSql,
      result: { readonly says: readonly string[]; readonly likeness: number },
    ) => Promise<Failing | null>
  },
): Promise<void> => {
  const { question, database, errorClass, message, tried, tryOne, signal } = given
  const before = question.statement
  const clock = { now: () => new Date(`${before.today}T12:00:00Z`), timeZone: 'UTC' }
  const linked: LinkedSchema = {
    tables: database.catalog.tables.map(({ name }) => ({ table: name, keep: 'all' })),
  }
  const understanding = deps.understand(question.text, clock)
  const input = { understanding, database, linked, matches: [], sample: 0, ...(signal && { signal }) }
  const history: { sql: string; message: string }[] = []
  let failing = { sql: before.sql, errorClass, message }
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { sql } = await fix({ ...input, ...failing, history })
    const statement = sql === null ? null : deps.findPeriodsAgain(before, sql, database.dialect)
    if (sql === null || statement === null || tried.has(statement.sql)) return
    const trial = await tryOne(statement, {
      says: ['I rewrote names and values in it'],
      likeness: RULE_LIKENESS,
    })
    if (trial === null) return
    history.push({ sql: failing.sql, message: failing.message })
    failing = { sql, ...trial }
  }
}

/** Runs a repair for a day and returns its rows or the error. Rejects if nothing can be run now. */
const tryStatement = async (
  today: string,
  statement: RelativeSql,
  database: Database,
  resolveStatement: ResolveStatement,
  signal: AbortSignal | undefined,
): Promise<{ readonly table: ResultTable } | Failing> => {
  const resolved = resolveStatement(statement, today)
  if (resolved.status === 'lost')
    return { errorClass: 'other', message: `“${resolved.phrase}” is not understood` }
  const verdict = database.guard(resolved.sql)
  if (verdict.verdict === 'refuse') return { errorClass: 'refused', message: verdict.reason }
  try {
    return { table: await database.run(verdict.guarded, signal ? { signal } : {}) }
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
    return { errorClass: error.errorClass, message: error.message }
  }
}

/**
 * Asks a digest question as if its owner asked it now. Null if it is not answered: refused, unclear or failed. Rejects
 * when the signal fires or the store is unavailable.
 */
export type AskAgain = (
  question: DigestQuestion,
  given: {
    readonly digest: Digest
    /** Who pays; the permissions are still the owner's. */
    readonly paidBy: string
    readonly signal?: AbortSignal
  },
) => Promise<{ readonly statement: RelativeSql; readonly notes: readonly string[] } | null>

/** Uses the normal answering path, which charges the person who pays for the run. */
export const makeAskAgain =
  (deps: {
    readonly answer: (question: Question, options: { signal?: AbortSignal }) => Promise<AnswerReport>
    readonly storeQuestion: (
      question: Question,
      paid: { readonly digest: Digest; readonly paidBy: string },
    ) => Promise<void>
    /** Deletes what was stored only to answer the question. */
    readonly forget: (questionId: string) => Promise<void>
    readonly findUnderstanding: (questionId: string) => Promise<Understanding | null>
    readonly openDatabase: (
      name: string,
      options: { signal?: AbortSignal },
    ) => Promise<Pick<Database, 'dialect'>>
    readonly readRelativeSql: ReadRelativeSql
    readonly newId: () => string
    readonly now: () => Date
  }): AskAgain =>
  async ({ text, database: name }, { digest, paidBy, signal }) => {
    const options = signal ? { signal } : {}
    const id = deps.newId()
    const question: Question = {
      ...{ id, key: `digest:${id}`, text, database: name },
      ...{ askedAt: deps.now(), timeZone: digest.schedule.timeZone, askedBy: digest.owner },
      // An earlier answer was read from the old schema.
      fresh: true,
      ...(paidBy !== digest.owner && { runBy: paidBy }),
    }
    await deps.storeQuestion(question, { digest, paidBy })
    try {
      const { outcome } = await deps.answer(question, options)
      if (outcome.status !== 'answered') return null
      const { dialect } = await deps.openDatabase(name, options)
      const understanding = await deps.findUnderstanding(id)
      return deps.readRelativeSql({ sql: outcome.sql, dialect, understanding })
    } finally {
      await deps.forget(id)
    }
  }
