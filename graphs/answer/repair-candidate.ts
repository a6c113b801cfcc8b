import type { QuestionContext } from '../../src/core/brief.ts'
import type { Repair } from '../../src/core/candidate.ts'
import type { Database } from '../../src/core/database.ts'
import type { FixSql } from '../../src/core/draft.ts'
import { addModelUsage, type ModelUsage, noModelUsage } from '../../src/core/usage.ts'
import type { AnswerDeps, NodeRun } from './deps.ts'
import { widenSchemaForRepair } from './reopen-schema.ts'
import { type Attempt, tryCandidate } from './try-candidate.ts'

/** CHASE-SQL 3.4 asks a model at most three times; AgentNLQ and MAC-SQL stop at three as well. */
const MODEL_ROUNDS = 3

/** Rules cost nothing, and each cures one thing; this many are enough for what real statements have wrong. */
const ALL_ROUNDS = 8

/** What repairing needs of the world. */
export type RepairDeps = Pick<
  AnswerDeps,
  'fixers' | 'saveResult' | 'resultKey' | 'columnsKey' | 'findEvidence' | 'widenSchema'
>

/** One statement to run, and what it was drafted for. The brief is only read when something is wrong. */
export interface RepairInput {
  readonly sql: string
  readonly question: { readonly id: string; readonly text: string }
  readonly database: Database
  readonly brief: () => Promise<QuestionContext>
}

/** The statement as it stands after repair; `repairs` has what it was before, oldest first. */
export interface Repaired {
  readonly sql: string
  readonly repairs: readonly Repair[]
  readonly run: Attempt['run']
  readonly usage: ModelUsage
}

/**
 * Runs one statement and repairs it while that helps. A statement that ran is given up only for one that runs without
 * a problem: an empty result that stays empty after a repair was the answer. Never throws but for a stop.
 */
export const repairCandidate = async (
  input: RepairInput,
  deps: RepairDeps,
  run: NodeRun,
): Promise<Repaired> => {
  const { question, database } = input
  const attemptOf = (sql: string) => tryCandidate(sql, question, { ...deps, database }, run)
  let { sql } = input
  let attempt = await attemptOf(sql)
  let repairs: readonly Repair[] = []
  let usage = noModelUsage
  let modelRounds = 0
  let brief: QuestionContext | null = null
  for (let round = 1; attempt.problem && round <= ALL_ROUNDS && modelRounds < MODEL_ROUNDS; round++) {
    const { problem } = attempt
    brief ??= await input.brief()
    brief = {
      ...brief,
      linked: widenSchemaForRepair({ ...problem, sql, linked: brief.linked, database }, deps),
    }
    const fix = await nextFix({ ...input, sql, problem, brief, repairs }, deps.fixers, run)
    usage = addModelUsage(usage, fix.usage)
    if (fix.usage.modelCalls > 0) modelRounds += 1
    if (fix.sql === null || fix.sql === sql) break
    const next = await attemptOf(fix.sql)
    if (attempt.run.status === 'ran' && next.problem) break
    repairs = [...repairs, { round, sql, ...problem }]
    sql = fix.sql
    attempt = next
  }
  return { sql, repairs, run: attempt.run, usage }
}

interface Failure extends Omit<RepairInput, 'brief'> {
  readonly problem: NonNullable<Attempt['problem']>
  readonly brief: QuestionContext
  readonly repairs: readonly Repair[]
}

const nextFix = async (
  { sql, problem, brief, repairs, question, database }: Failure,
  fixers: readonly FixSql[],
  run: NodeRun,
): Promise<{ sql: string | null; usage: ModelUsage }> => {
  let usage = noModelUsage
  for (const fixer of fixers) {
    try {
      const fix = await fixer({
        ...brief,
        ...problem,
        database,
        history: repairs.map(({ sql, message }) => ({ sql, message })),
        sample: 0,
        questionId: question.id,
        sql,
        ...(run.signal ? { signal: run.signal } : {}),
      })
      usage = addModelUsage(usage, fix.usage)
      if (fix.sql !== null) return { sql: fix.sql, usage }
    } catch {
      // A fixer that fails is a fixer that has no fix; a stop is not a failure and goes through.
      run.signal?.throwIfAborted()
    }
  }
  return { sql: null, usage }
}
