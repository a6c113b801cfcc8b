import type { ClarificationOption } from '../../../src/core/clarification.ts'
import type { AnswerDeps, NodeRun } from '../deps.ts'
import type { State, Update } from '../state.ts'
import { tryCandidate } from '../try-candidate.ts'

type RunDeps = Pick<
  AnswerDeps,
  'database' | 'workbench' | 'saveResult' | 'resultKey' | 'columnsKey' | 'findEvidence'
>

/** Runs the heavy statement that a person has agreed to, once: as the one result to choose from, whatever it comes to. */
export const runExpensive = async (
  option: ClarificationOption,
  { question }: State,
  deps: RunDeps,
  run: NodeRun,
): Promise<Update> => {
  const candidates = await deps.workbench.loadCandidates(question.id)
  const heavy = candidates.find(({ id }) => option.candidateIds.includes(id))
  if (!heavy) return { groups: [] }
  run.writer?.({ step: 'check', detail: `Running ${heavy.id}` })
  const database = await deps.database(question.database, run)
  const attempt = await tryCandidate(heavy.sql, question, { ...deps, database, evenIfHeavy: true }, run)
  await deps.workbench.saveCandidates(question.id, [{ ...heavy, run: attempt.run }])
  if (attempt.run.status !== 'ran') return { groups: [] }
  const { groupKey: key } = attempt.run
  return {
    groups: [{ key, candidateIds: [heavy.id], representativeId: heavy.id, score: heavy.prior }],
  }
}
