import type { Catalog } from '../../core/catalog.ts'
import type { Database } from '../../core/database.ts'
import type { RelativeSql } from '../../core/digest.ts'
import type { FixSql } from '../../core/draft.ts'
import type { LinkedSchema } from '../../core/linked-schema.ts'
import { SqlError, type SqlErrorClass } from '../../core/sql-error.ts'
import type { UnderstandQuestion } from '../../core/understanding.ts'
import type { ProposeRepair, ResolveStatement } from './run-part.ts'

const MOST_ROUNDS = 3

/**
 * Makes it from fixers: they change the statement as it was saved, so that its periods are found again in what they
 * write. A repair is proposed only if, on the day of the run, the guard lets it through and the database runs it.
 */
export const makeProposeRepair =
  (deps: {
    readonly fixers: readonly FixSql[]
    readonly understand: UnderstandQuestion
    /** The same periods, found in another text of the statement; null where one of them is not in it any more. */
    readonly findPeriodsAgain: (
      before: RelativeSql,
      sql: string,
      dialect: Parameters<ProposeRepair>[0]['database']['dialect'],
    ) => RelativeSql | null
    readonly resolveStatement: ResolveStatement
    /** The schema as it is now: the catalog of an open database may be a while old. */
    readonly readCatalog: (name: string, options: { signal?: AbortSignal }) => Promise<Catalog>
  }): ProposeRepair =>
  async ({ question, database: opened, errorClass, message, today, signal }) => {
    const options = signal ? { signal } : {}
    const catalog = await deps.readCatalog(question.database, options)
    const database = { ...opened, catalog }
    const before = question.statement
    const clock = { now: () => new Date(`${before.today}T12:00:00Z`), timeZone: 'UTC' }
    const linked: LinkedSchema = {
      tables: database.catalog.tables.map(({ name }) => ({ table: name, keep: 'all' })),
    }
    const understanding = deps.understand(question.text, clock)
    const input = { understanding, database, linked, matches: [], sample: 0, ...options }
    for (const fix of deps.fixers) {
      const history: { sql: string; message: string }[] = []
      let failing = { sql: before.sql, errorClass, message }
      for (let round = 0; round < MOST_ROUNDS; round++) {
        const { sql } = await fix({ ...input, ...failing, history })
        if (sql === null) break
        const statement = deps.findPeriodsAgain(before, sql, database.dialect)
        if (statement === null) break
        const trial = await tryOn(today, statement, database, deps.resolveStatement, signal)
        if (trial === null) return statement
        history.push({ sql: failing.sql, message: failing.message })
        failing = { sql, ...trial }
      }
    }
    return null
  }

/** Runs a repair for a day; null where that went well, else what was wrong. Rejects where nothing can be run now. */
const tryOn = async (
  today: string,
  statement: RelativeSql,
  database: Database,
  resolveStatement: ResolveStatement,
  signal: AbortSignal | undefined,
): Promise<{ readonly errorClass: SqlErrorClass; readonly message: string } | null> => {
  const resolved = resolveStatement(statement, today)
  if (resolved.status === 'lost')
    return { errorClass: 'other', message: `“${resolved.phrase}” is not understood` }
  const verdict = database.guard(resolved.sql)
  if (verdict.verdict === 'refuse') return { errorClass: 'refused', message: verdict.reason }
  try {
    await database.run(verdict.guarded, signal ? { signal } : {})
    return null
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
    return { errorClass: error.errorClass, message: error.message }
  }
}
