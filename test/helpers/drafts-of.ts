import type { Draft, PathDrafts } from '../../src/domain/candidate.ts'
import type { ModelUsage } from '../../src/domain/operations/usage.ts'

/** The statements of a path that must have drafted some or none, and not have said that it cannot answer. */
export const draftsOf = async (
  drafting: Promise<PathDrafts>,
): Promise<{ readonly drafts: readonly Draft[]; readonly usage: ModelUsage }> => {
  const drafted = await drafting
  if (drafted.kind !== 'statements') throw new Error(`the path said: ${drafted.reason}`)
  return drafted
}
