import type { AnswerReport } from '../domain/answer.ts'
import type { FixSql } from '../domain/candidate.ts'
import type { Catalog } from '../domain/catalog.ts'
import type { Database } from '../domain/database.ts'
import type { Digest, DigestFinding, DigestQuestion, RelativeSql, RepairProposal } from '../domain/digest.ts'
import { SqlError, type SqlErrorClass } from '../domain/errors.ts'
import type { Question } from '../domain/question.ts'
import type { LinkedSchema, Understanding, UnderstandQuestion } from '../domain/question-context.ts'
import type { ResultTable } from '../domain/result.ts'
import type { ProposeRenamings, SchemaSnapshot } from '../domain/schema-drift.ts'
import type { ReadRelativeSql } from './digest-deps.ts'
import type { ProposeRepair, ResolveStatement } from './run-digest-question.ts'

const MAX_ROUNDS = 3

/** A repair of which less speaks is proposed only where asking anew gives nothing better. */
const MIN_LIKENESS = 0.5

/** Of two repairs whose ratings are no further apart, both are offered. */
const MAX_RATING_GAP = 0.08

/** What a result that nobody can compare says of its statement: nothing. */
const NEUTRAL_LIKENESS = 0.5

/** How a rule for drafts and a new answer are rated before they are run. */
const RULE_LIKENESS = 0.6

const ANSWER_LIKENESS = 0.5

/** What the result says counts for more than what the names say. */
const RESULT_WEIGHT = 0.6

/** What a repair is made with. */
interface ProposeRepairDeps {
  readonly proposeRenamings: ProposeRenamings
  readonly fixers: readonly FixSql[]
  /** Asks the question of the digest as if it were asked now; null where that is not done. */
  readonly askAgain: AskAgain | null
  readonly understand: UnderstandQuestion
  /** The same periods, found in another text of the statement; null where one of them is not in it any more. */
  readonly findPeriodsAgain: (
    before: RelativeSql,
    sql: string,
    dialect: Database['dialect'],
  ) => RelativeSql | null
  readonly resolveStatement: ResolveStatement
  /** The schema as it is now: the catalog of an open database may be a while old. */
  readonly readCatalog: (name: string, options: { signal?: AbortSignal }) => Promise<Catalog>
  /** What the last run that was told found; null where there was none. */
  readonly lastFinding: (digestId: string, questionId: string) => Promise<DigestFinding | null>
  readonly findingOf: (table: ResultTable) => DigestFinding
  /** How much a result looks like those before it, from 0 to 1; null where nothing of them is known. */
  readonly resultLikeness: (
    before: { readonly shape: SchemaSnapshot['result']; readonly finding: DigestFinding | null },
    now: { readonly table: ResultTable; readonly finding: DigestFinding },
  ) => number | null
}

/** A repair that ran, and how much speaks for it. */
interface Rated extends RepairProposal {
  readonly rating: number
}

/**
 * Makes it. Names that are gone are looked for in the schema as it is, then rules for drafts are tried, and where neither
 * gives something that fits, the question is asked anew. The statement is changed as it was saved, so that its periods are
 * found again. A repair is proposed only if, on the day of the run, the guard lets it through and the database runs it;
 * the one whose result looks most like the last is the first.
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
    /** Runs one, unless the same was run before; what was wrong with it, or null. */
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
        // What was found without it is still something.
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

/** Rules that repair drafts, a few rounds of them, until what they write runs. */
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

/** Runs a repair for a day: its rows, else what was wrong. Rejects where nothing can be run now. */
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
 * Asks a question of a digest as if its owner asked it now. Null where it is not answered: refused, asked back, or broken.
 * Rejects when the signal fires, or the store is away.
 */
export type AskAgain = (
  question: DigestQuestion,
  given: {
    readonly digest: Digest
    /** Who pays; its rights are those of its owner all the same. */
    readonly paidBy: string
    readonly signal?: AbortSignal
  },
) => Promise<{ readonly statement: RelativeSql; readonly notes: readonly string[] } | null>

/** Makes it from the ordinary way of a question, which books what it costs on who pays for the run. */
export const makeAskAgain =
  (deps: {
    readonly answer: (question: Question, options: { signal?: AbortSignal }) => Promise<AnswerReport>
    readonly storeQuestion: (
      question: Question,
      paid: { readonly digest: Digest; readonly paidBy: string },
    ) => Promise<void>
    /** Drops what was kept only to work on the question. */
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
      // An answer of a while ago was read from the schema of then.
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
