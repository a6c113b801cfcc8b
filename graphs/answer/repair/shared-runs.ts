import type { Candidate, CandidateRun } from '../../../src/domain/candidate.ts'
import type { SqlErrorClass } from '../../../src/domain/errors.ts'
import type { LoadResult } from '../../../src/domain/result.ts'
import type { ParseDialect } from '../../../src/domain/sql.ts'
import { type SqlToken, sqlTokens } from '../../../src/sql/parse/sql-tokens.ts'
import type { NodeRun } from '../deps.ts'
import { type Attempt, readResult, type TryDeps, tryCandidate } from './try-candidate.ts'

/** Statements that are remembered; the oldest make room. A question has a few dozen. */
const MOST_STATEMENTS = 2_000

/** What may go another way a moment later. */
const passingErrors: ReadonlySet<SqlErrorClass> = new Set(['connection', 'over-budget', 'cancelled', 'other'])

/** Tries one statement of a question, or takes the run of an equal one. */
type TryStatement = (sql: string) => Promise<Attempt>

/**
 * Makes the function that runs equal statements of one question once, also if branches try them at the same time: the
 * second takes the result or the failure of the first. What this process does not remember, such as after a restart or
 * a reply in words, is read from the stored candidates.
 */
export const makeShareRuns = () => {
  const attempts = new Map<string, Promise<Attempt>>()

  return (
    question: { readonly id: string; readonly text: string; readonly database: string },
    candidates: readonly Candidate[],
    deps: TryDeps & { readonly loadResult: LoadResult },
    run: NodeRun,
  ): TryStatement => {
    const { dialect } = deps.database
    const start = async (sql: string): Promise<Attempt> =>
      (await reuseStored(sql, candidates, question, deps)) ?? tryCandidate(sql, question, deps, run)

    return async sql => {
      const key = JSON.stringify([
        ...[question.database, question.id, question.text],
        statementKey(sql, dialect),
      ])
      const known = attempts.get(key)
      if (known !== undefined) return known
      const started = start(sql)
      attempts.set(key, started)
      const [oldest] = attempts.keys()
      if (attempts.size > MOST_STATEMENTS && oldest !== undefined) attempts.delete(oldest)
      try {
        const attempt = await started
        if (attempt.run.status === 'failed' && passingErrors.has(attempt.run.errorClass)) attempts.delete(key)
        return attempt
      } catch (error) {
        // A stop, or our own store is away: the next to try it runs it.
        attempts.delete(key)
        throw error
      }
    }
  }
}

/** The run of an equal statement among the stored candidates; null if there is none, or its rows are gone. */
const reuseStored = async (
  sql: string,
  candidates: readonly Candidate[],
  question: { readonly text: string },
  deps: TryDeps & { readonly loadResult: LoadResult },
): Promise<Attempt | null> => {
  const { dialect } = deps.database
  const key = statementKey(sql, dialect)
  const isEqual = (tried: { readonly sql: string }): boolean => statementKey(tried.sql, dialect) === key
  const stored = candidates.find(candidate => candidate.run?.status === 'ran' && isEqual(candidate))?.run
  if (stored?.status === 'ran') {
    const table = await deps.loadResult(stored.resultId)
    return table && readResult(sql, table, stored.resultId, question, deps)
  }
  const failed = candidates.flatMap(failuresOf).find(isEqual)
  return failed ? { run: failed.run, problem: failed.run } : null
}

/** The statements of a candidate that failed for good, also those that were repaired. */
const failuresOf = ({
  sql,
  run,
  repairs,
}: Candidate): readonly {
  readonly sql: string
  readonly run: Extract<CandidateRun, { status: 'failed' }>
}[] =>
  [
    ...(run?.status === 'failed' ? [{ sql, run }] : []),
    ...repairs.map(({ sql, errorClass, message }) => ({
      sql,
      run: { status: 'failed', errorClass, message } as const,
    })),
    // Statements with these two classes ran; their rows are not kept.
  ].filter(
    ({ run: { errorClass } }) =>
      !passingErrors.has(errorClass) && errorClass !== 'empty-result' && errorClass !== 'wrong-shape',
  )

/**
 * A key that is equal for statements that differ only in white space, comments and closing semicolons. Text that cannot
 * be cut into tokens is its own key.
 */
export const statementKey = (sql: string, dialect: ParseDialect): string => {
  const read = sqlTokens(sql, dialect)
  if (!read.ok) return sql.trim()
  const last = read.tokens.findLastIndex(({ text }) => text !== ';')
  return read.tokens
    .slice(0, last + 1)
    .map((token, at, all) => separator(all[at - 1], token, sql) + token.text)
    .join('')
}

/** What stands before a token. Strings on two lines are one string in some dialects, on one line they are two. */
const separator = (before: SqlToken | undefined, token: SqlToken, sql: string): string => {
  if (before === undefined || before.end === token.start) return ''
  const isSplitString = before.kind === 'string' && token.kind === 'string'
  return isSplitString && sql.slice(before.end, token.start).includes('\n') ? '\n' : ' '
}
