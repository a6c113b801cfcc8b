import type { DraftPath } from '../../../src/domain/candidate.ts'
import { noModelUsage } from '../../../src/domain/operations/usage.ts'

/** A statement that a real system once wrote for a question; `source` is its lineage. */
interface ReplayedDraft {
  readonly sql: string
  readonly source: string
}

/**
 * Replays what real systems once wrote, one statement a draft in the order of the file, as if a model were asked: free
 * and deterministic, so that repair, grouping, selection and stopping can be measured on it. Counts as a model call.
 */
export const makePoolReplayPath = (deps: {
  readonly draftsOf: (questionId: string) => readonly ReplayedDraft[]
  /** Statements of the question that has most of them. */
  readonly samples: number
}): DraftPath => ({
  name: 'pool-replay',
  cost: 'model',
  samples: deps.samples,
  draft: async ({ questionId = '', sample }) => {
    const replayed = deps.draftsOf(questionId)[sample]
    const usage = { ...noModelUsage, modelCalls: replayed === undefined ? 0 : 1 }
    if (replayed === undefined) return { kind: 'statements', drafts: [], usage }
    const { sql, source } = replayed
    return {
      kind: 'statements',
      drafts: [{ sql, lineage: source, prior: PRIOR, decisions: [], assumptions: [], unused: null }],
      usage,
    }
  },
})

/** Never weighed: votes are counted, and a replayed system says nothing of its own odds. */
const PRIOR = 0.5
