import type { AgentTools } from './agent-tools.ts'

/**
 * Runs statements one after the other until one runs: systems that never look at a database would else have no answer
 * where their last statement has a slip and an earlier one does not. A result without rows is a result.
 */
export const checkInTurn = async (candidateIds: readonly string[], tools: AgentTools): Promise<void> => {
  for (const id of candidateIds) {
    await tools.check(id)
    const { run } = await tools.candidate(id)
    if (run?.status === 'ran') return
  }
}
