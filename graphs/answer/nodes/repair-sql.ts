import type { AnswerDeps, NodeRun } from '../deps.ts'
import { type RepairDeps, repairCandidate } from '../repair-candidate.ts'
import type { RepairTask, Update } from '../state.ts'
import { isWorthRunning } from '../worth-running.ts'

/** One branch of the fan-out: runs one candidate and repairs it while that helps. Never throws but for a stop. */
export const makeRepairSql =
  (deps: RepairDeps & Pick<AnswerDeps, 'database' | 'workbench'>) =>
  async (task: RepairTask, run: NodeRun): Promise<Update> => {
    if (task.candidateId === null) return {}
    const { question } = task
    const candidates = await deps.workbench.loadCandidates(question.id)
    const candidate = candidates.find(candidate => candidate.id === task.candidateId)
    if (!candidate || candidate.run || !isWorthRunning(candidate, candidates)) return {}
    run.writer?.({ step: 'check', detail: `Checking ${candidate.id}` })
    const database = await deps.database(question.database, run)
    const brief = () => deps.workbench.loadContext(question.id)
    const { usage, ...repaired } = await repairCandidate(
      { sql: candidate.sql, question, database, brief },
      deps,
      run,
    )
    await deps.workbench.saveCandidates(question.id, [
      { ...candidate, ...repaired, repairs: [...candidate.repairs, ...repaired.repairs] },
    ])
    return { usage }
  }
