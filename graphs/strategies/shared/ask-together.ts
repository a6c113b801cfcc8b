import { ModelError } from '../../../src/domain/errors.ts'
import type { AgentTools } from './agent-tools.ts'

/** How an agent goes about a question (BAPPA, section 3.1): its name in the trace, and what its prompt says of it. */
interface Persona {
  readonly name: 'simple' | 'technical' | 'thinker'
  readonly text: string
}

export const personas: readonly [Persona, Persona, Persona] = [
  {
    name: 'simple',
    text: 'You look for the shortest statement that answers the question, and explain it in a few words.',
  },
  {
    name: 'technical',
    text: 'You go into every technical detail: keys, types, NULL, repeated rows, and what each clause does to them.',
  },
  {
    name: 'thinker',
    text: 'You weigh at least two different ways to answer before you settle on one, and say why the others lose.',
  },
]

/** One of several questions to agents at the same time. */
type Asking<Reply> = () => Promise<Reply>

/**
 * Asks several agents at the same time. One that fails is left out (null in its place); if all fail, the first failure is
 * thrown, and so is a spent budget, because nobody else could be asked either.
 */
export const askTogether = async <Reply>(
  asking: readonly Asking<Reply>[],
): Promise<readonly (Reply | null)[]> => {
  const settled = await Promise.allSettled(asking.map(ask => ask()))
  const failures = settled.flatMap(one => (one.status === 'rejected' ? [one.reason as unknown] : []))
  const unexpected = failures.find(error => !(error instanceof ModelError) || error.code === 'budget-spent')
  if (unexpected !== undefined) throw unexpected
  if (failures.length === settled.length) throw failures[0]
  return settled.map(one => (one.status === 'fulfilled' ? one.value : null))
}

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
