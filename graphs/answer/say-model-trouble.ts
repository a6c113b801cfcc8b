import type { Candidate } from '../../src/core/candidate.ts'
import type { DraftPath } from '../../src/core/draft.ts'
import type { TracedFailure } from '../../src/core/trace.ts'

/**
 * What a person should know of an outcome that models had no part in although they were to: null when a statement of
 * theirs ran, or when none of them failed. The log and the trace say what to do about it; this is for whoever asked.
 */
export const formatModelFailure = (
  failures: readonly TracedFailure[],
  candidates: readonly Pick<Candidate, 'path' | 'run'>[],
  paths: readonly Pick<DraftPath, 'name' | 'cost'>[],
): string | null => {
  const models = new Set<string>(paths.filter(({ cost }) => cost === 'model').map(({ name }) => name))
  if (candidates.some(({ path, run }) => models.has(path) && run?.status === 'ran')) return null
  const failed = failures.filter(({ path }) => models.has(path))
  if (failed.length === 0) return null
  return failed.some(({ code }) => code === 'budget-spent')
    ? 'No model helped with this: the budget for models is used up.'
    : 'No model helped with this: none could be asked.'
}
