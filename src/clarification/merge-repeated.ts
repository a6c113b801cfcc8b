import type { Candidate } from '../core/candidate.ts'
import type { ExecutionGroup } from '../core/execution-group.ts'

/**
 * Groups whose results differ in nothing but repeated rows, taken together: whether a name stands there twice is a
 * matter of how the answer is shown, and nobody is asked about it. The likeliest stands for all of them.
 */
export const mergeRepeated = (
  groups: readonly ExecutionGroup[],
  candidates: readonly Candidate[],
): readonly ExecutionGroup[] => {
  const columnsKeys = new Map(
    candidates.flatMap(({ id, run }) => (run?.status === 'ran' ? [[id, run.columnsKey] as const] : [])),
  )
  const merged: { group: ExecutionGroup; keys: Set<string> }[] = []
  for (const group of groups) {
    const keys = group.candidateIds.flatMap(id => columnsKeys.get(id) ?? [])
    const same = merged.find(one => keys.some(key => one.keys.has(key)))
    if (same === undefined) {
      merged.push({ group, keys: new Set(keys) })
      continue
    }
    for (const key of keys) same.keys.add(key)
    same.group = {
      ...same.group,
      candidateIds: [...same.group.candidateIds, ...group.candidateIds],
      score: same.group.score + group.score,
    }
  }
  // The first stays the first: it is what is answered without a reply.
  const [leader, ...others] = merged.map(({ group }) => group)
  return leader === undefined ? [] : [leader, ...others.sort((a, b) => b.score - a.score)]
}
