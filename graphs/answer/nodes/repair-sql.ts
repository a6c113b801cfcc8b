import type { Brief } from '../../../src/core/brief.ts'
import type { Candidate } from '../../../src/core/candidate.ts'
import type { Database } from '../../../src/core/database.ts'
import { addUsage, noUsage, type Usage } from '../../../src/core/usage.ts'
import type { AnswerDeps, NodeRun } from '../deps.ts'
import { reopenSchema } from '../reopen-schema.ts'
import type { RepairTask, Update } from '../state.ts'
import { type Attempt, tryCandidate } from '../try-candidate.ts'
import { worthRunning } from '../worth-running.ts'

/** CHASE-SQL 3.4 repairs at most three times; AgentNLQ and MAC-SQL stop at three as well. */
const MAX_ROUNDS = 3

type RepairDeps = Pick<
  AnswerDeps,
  | 'database'
  | 'workbench'
  | 'fixers'
  | 'saveResult'
  | 'resultKey'
  | 'columnsKey'
  | 'findEvidence'
  | 'widenSchema'
>

/** One branch of the fan-out: runs one candidate and repairs it while that helps. Never throws but for a stop. */
export const makeRepairSql =
  (deps: RepairDeps) =>
  async (task: RepairTask, run: NodeRun): Promise<Update> => {
    if (task.candidateId === null) return {}
    const candidates = await deps.workbench.loadCandidates(task.question.id)
    const candidate = candidates.find(candidate => candidate.id === task.candidateId)
    if (!candidate || candidate.run || !worthRunning(candidate, candidates)) return {}
    run.writer?.({ step: 'check', detail: `Checking ${candidate.id}` })
    const { repaired, usage } = await repair(candidate, task, run, deps)
    await deps.workbench.saveCandidates(task.question.id, [repaired])
    return { usage }
  }

const repair = async (
  drafted: Candidate,
  task: RepairTask,
  run: NodeRun,
  deps: RepairDeps,
): Promise<{ repaired: Candidate; usage: Usage }> => {
  const database = await deps.database(task.question.database, run)
  let brief: Brief | null = null
  let candidate = drafted
  let usage = noUsage
  let attempt = await tryCandidate(candidate.sql, task.question, { ...deps, database }, run)
  for (let round = 1; attempt.problem && round <= MAX_ROUNDS; round++) {
    brief ??= await deps.workbench.loadBrief(task.question.id)
    const { errorClass, message } = attempt.problem
    const linked = reopenSchema({ sql: candidate.sql, errorClass, linked: brief.linked, database }, deps)
    brief = { ...brief, linked }
    const fix = await nextFix(candidate, attempt.problem, { task, brief, database }, run, deps)
    usage = addUsage(usage, fix.usage)
    if (fix.sql === null || fix.sql === candidate.sql) break
    const repairs = [...candidate.repairs, { round, sql: candidate.sql, errorClass, message }]
    const next = await tryCandidate(fix.sql, task.question, { ...deps, database }, run)
    // An empty result that stays empty after a repair was the answer: keep what the path itself wrote.
    if (attempt.run.status === 'ran' && next.run.status !== 'ran') break
    candidate = { ...candidate, sql: fix.sql, repairs }
    attempt = next
  }
  return { repaired: { ...candidate, run: attempt.run }, usage }
}

const nextFix = async (
  candidate: Candidate,
  problem: NonNullable<Attempt['problem']>,
  { task, brief, database }: { task: RepairTask; brief: Brief; database: Database },
  run: NodeRun,
  deps: Pick<RepairDeps, 'fixers'>,
): Promise<{ sql: string | null; usage: Usage }> => {
  const history = candidate.repairs.map(({ sql, message }) => ({ sql, message }))
  let usage = noUsage
  for (const fixer of deps.fixers) {
    try {
      const fix = await fixer({
        ...brief,
        ...problem,
        database,
        history,
        sample: 0,
        questionId: task.question.id,
        sql: candidate.sql,
        ...(run.signal ? { signal: run.signal } : {}),
      })
      usage = addUsage(usage, fix.usage)
      if (fix.sql !== null) return { sql: fix.sql, usage }
    } catch {
      // A fixer that fails is a fixer that has no fix; a stop is not a failure and goes through.
      run.signal?.throwIfAborted()
    }
  }
  return { sql: null, usage }
}
