import type { FixSql, NamedMeaning, Repair } from '../../../src/domain/candidate.ts'
import type { Database } from '../../../src/domain/database.ts'
import { addModelUsage, type ModelUsage, noModelUsage } from '../../../src/domain/operations/usage.ts'
import type { QuestionContext } from '../../../src/domain/question-context.ts'
import type { CheckingDeps, LinkingDeps, NodeRun, StoringDeps } from '../deps.ts'
import { type Attempt, tryCandidate } from './try-candidate.ts'
import { widenSchemaForRepair } from './widen-schema-for-repair.ts'

/** CHASE-SQL 3.4 asks a model at most three times; AgentNLQ and MAC-SQL stop at three as well. */
const MODEL_ROUNDS = 3

/** Rules cost nothing, and each cures one thing; this many are enough for what real statements have wrong. */
const ALL_ROUNDS = 8

/** What repairing needs of the world. */
type RepairDeps = CheckingDeps & Pick<StoringDeps, 'saveResult'> & Pick<LinkingDeps, 'widenSchema'>

/** One statement to run, and what it was drafted for. The question context is read only if something is wrong. */
interface RepairInput {
  readonly sql: string
  readonly question: { readonly id: string; readonly text: string }
  readonly database: Database
  readonly context: () => Promise<QuestionContext>
  /** Repairs that were made before, oldest first. */
  readonly earlier?: readonly Repair[]
  /** How statements are tried; each is run by itself if left out. */
  readonly tryStatement?: (sql: string) => Promise<Attempt>
}

/** The statement as it stands after repair; `repairs` has what it was before, oldest first. */
interface Repaired extends Attempt {
  readonly sql: string
  readonly repairs: readonly Repair[]
  /** Set if a model that repaired it called the question ambiguous: the meaning that it answers. */
  readonly named?: NamedMeaning
  /** What the schema lacks, as a model said that could not repair it; untrusted text. */
  readonly missing?: string
  readonly usage: ModelUsage
}

/**
 * Runs one statement and repairs it while that helps. A statement that ran is given up only for one that runs without
 * a problem: an empty result that stays empty after a repair was the answer. Throws only if the question is stopped.
 */
export const repairCandidate = async (
  input: RepairInput,
  deps: RepairDeps,
  run: NodeRun,
): Promise<Repaired> => {
  const { question, database, earlier = [] } = input
  const fixers = [...deps.fixers, ...(deps.modelFixers ?? [])]
  const attemptOf =
    input.tryStatement ?? ((sql: string) => tryCandidate(sql, question, { ...deps, database }, run))
  let { sql } = input
  let attempt = await attemptOf(sql)
  let repairs = earlier
  let usage = noModelUsage
  let modelRounds = 0
  let said: Pick<Repaired, 'named' | 'missing'> = {}
  let context: QuestionContext | null = null
  for (let round = 1; attempt.problem && round <= ALL_ROUNDS && modelRounds < MODEL_ROUNDS; round++) {
    const { problem } = attempt
    context ??= await input.context()
    context = {
      ...context,
      linked: widenSchemaForRepair({ ...problem, sql, linked: context.linked, database }, deps),
    }
    const fix = await nextFix({ ...input, sql, problem, context, repairs }, fixers, run)
    usage = addModelUsage(usage, fix.usage)
    if (fix.usage.modelCalls > 0) modelRounds += 1
    if (fix.sql === null && fix.missing !== undefined && attempt.run.status !== 'ran')
      said = { missing: fix.missing }
    if (fix.sql === null || fix.sql === sql) break
    const next = await attemptOf(fix.sql)
    if (attempt.run.status === 'ran' && next.problem) break
    repairs = [...repairs, { round: earlier.length + round, sql, ...problem }]
    sql = fix.sql
    attempt = next
    if (fix.named) said = { named: fix.named }
  }
  return { ...attempt, sql, repairs, ...said, usage }
}

interface Failure extends Omit<RepairInput, 'context' | 'earlier' | 'tryStatement'> {
  readonly problem: NonNullable<Attempt['problem']>
  readonly context: QuestionContext
  readonly repairs: readonly Repair[]
}

const nextFix = async (
  { sql, problem, context, repairs, question, database }: Failure,
  fixers: readonly FixSql[],
  run: NodeRun,
): ReturnType<FixSql> => {
  let missing: string | undefined
  let usage = noModelUsage
  for (const fixer of fixers) {
    try {
      const fix = await fixer({
        ...context,
        ...problem,
        database,
        history: repairs.map(({ sql, message }) => ({ sql, message })),
        sample: 0,
        questionId: question.id,
        sql,
        ...(run.signal ? { signal: run.signal } : {}),
      })
      usage = addModelUsage(usage, fix.usage)
      if (fix.sql !== null) return { ...fix, usage }
      missing ??= fix.missing
    } catch {
      // A fixer that fails is a fixer that has no fix; a stop is not a failure and goes through.
      run.signal?.throwIfAborted()
    }
  }
  return { sql: null, usage, ...(missing !== undefined && { missing }) }
}
