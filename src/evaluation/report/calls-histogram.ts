import type { EvaluatedQuestion } from '../evaluated-question.ts'

/** Beyond so many different counts, several share a bar. */
const MAX_BARS = 25

/** How many questions took from `from` to `to` model calls, both included. */
export interface CallsBin {
  readonly from: number
  readonly to: number
  readonly questions: number
}

/** Answerable questions by the model calls that they took; bars of equal width from 0 to the most that any took. */
export const callsHistogram = (evaluated: readonly EvaluatedQuestion[]): readonly CallsBin[] => {
  const calls = evaluated.filter(({ answerable }) => answerable).map(({ modelCalls }) => modelCalls)
  if (calls.length === 0) return []
  const most = Math.max(...calls)
  const width = Math.ceil((most + 1) / MAX_BARS)
  return Array.from({ length: Math.floor(most / width) + 1 }, (_, i) => {
    const [from, to] = [i * width, (i + 1) * width - 1]
    return { from, to, questions: calls.filter(count => count >= from && count <= to).length }
  })
}
