import type { Candidate } from '../../../src/domain/candidate.ts'
import { toInertText } from '../../../src/lib/inert-text.ts'
import type { CheckingDeps, DraftingDeps, LinkingDeps, NodeRun, OpenDatabase, StoringDeps } from '../deps.ts'
import { repairCandidate } from '../repair/repair-candidate.ts'
import { makeShareRuns } from '../repair/shared-runs.ts'
import { makeIsFree } from '../rounds/tally.ts'
import { questionText, type RepairTask, type Update } from '../state.ts'
import { withLiveValues } from '../understanding/live-values.ts'

/**
 * One branch of the fan-out: runs one candidate and repairs it while that helps; statements that are equal run once.
 * Rules repair every candidate. A model repairs what models drafted, and of the rest only what the task names. Throws
 * only if the question is stopped.
 */
export const makeRepairSql = (deps: {
  readonly database: OpenDatabase
  readonly linking: Pick<LinkingDeps, 'widenSchema'>
  readonly drafting: Pick<DraftingDeps, 'paths'>
  readonly checking: CheckingDeps
  readonly storing: Pick<StoringDeps, 'runStore' | 'saveResult' | 'loadResult'>
}) => {
  const shareRuns = makeShareRuns()
  const isFree = makeIsFree(deps.drafting.paths)
  const { modelFixers = [] } = deps.checking

  return async (task: RepairTask, run: NodeRun): Promise<Update> => {
    if (task.candidateId === null) return {}
    const question = { ...task.question, text: questionText(task.question) }
    const candidates = await deps.storing.runStore.loadCandidates(question.id)
    const candidate = candidates.find(candidate => candidate.id === task.candidateId)
    if (!candidate) return {}
    const { byModel = false } = task
    if (!byModel && (candidate.run || !isWorthRunning(candidate, candidates))) return {}
    run.writer?.({ step: 'check', detail: `${byModel ? 'Repairing' : 'Checking'} ${candidate.id}` })
    const context = () => deps.storing.runStore.loadContext(question.id)
    const { understanding } = await context()
    const opened = await deps.database(question.database, run)
    const database = await withLiveValues(opened, understanding, run)
    const { saveResult, loadResult } = deps.storing
    const trying = { ...deps.checking, saveResult, loadResult, database }
    const { usage, problem, missing, ...repaired } = await repairCandidate(
      {
        ...{ sql: candidate.sql, earlier: candidate.repairs, question, database, context },
        tryStatement: shareRuns(question, candidates, trying, run),
      },
      {
        ...{ ...deps.checking, widenSchema: deps.linking.widenSchema, saveResult },
        modelFixers: byModel || !isFree(candidate) ? modelFixers : [],
      },
      run,
    )
    // Whether a model is to look at it is decided once all others have run.
    const isLeft = modelFixers.length > 0 && !byModel && isFree(candidate)
    const tried =
      isLeft && problem && repaired.run.status === 'ran'
        ? { ...repaired.run, problem: problem.errorClass }
        : repaired.run
    await deps.storing.runStore.saveCandidates(question.id, [{ ...candidate, ...repaired, run: tried }])
    if (missing === undefined || isFree(candidate)) return { usage }
    // The draft of a model whose fixer finds that nothing can answer is a draft that says so.
    const { origin, path, lineage } = candidate
    return { usage, cannotAnswer: [{ origin, path, lineage, reason: toInertText(missing) }] }
  }
}

const ALWAYS = 3

const AT_MOST = 6

const NEAR_EQUAL = 0.5

/**
 * Whether a candidate is worth a query on somebody's warehouse. A path's readings are ranked: the first three run,
 * and further ones only while they are near-equal to the first, because only those could change the answer or
 * be asked about.
 */
const isWorthRunning = (candidate: Candidate, all: readonly Candidate[]): boolean => {
  if (candidate.rank < ALWAYS) return true
  if (candidate.rank >= AT_MOST) return false
  const first = all.find(
    other => other.path === candidate.path && other.rank === 0 && sameRound(other, candidate),
  )
  return first !== undefined && candidate.prior >= first.prior * NEAR_EQUAL
}

const sameRound = ({ origin: a }: Candidate, { origin: b }: Candidate): boolean =>
  a.attempt === b.attempt && a.round === b.round
