import { noModelUsage } from '../../../src/core/usage.ts'
import type { MakeExamples } from './online-synthetic.ts'

/** Questions whose examples are remembered; the oldest make room. */
const MOST_QUESTIONS = 200

/**
 * Examples made once for a question and shared by the samples of its path, also those that are drafted at the same
 * time: seven samples cost eight calls, not fourteen. Whoever asks first pays, also for a failure: whoever waited drafts
 * without examples. What failed is made again.
 */
export const cacheExamples = (makeExamples: MakeExamples): MakeExamples => {
  const known = new Map<string, ReturnType<MakeExamples>>()
  return async input => {
    if (input.questionId === undefined) return makeExamples(input)
    // A reply in words changes the text of the question.
    const key = JSON.stringify([input.questionId, input.understanding.text])
    const made = known.get(key)
    if (made) {
      const examples = await made.then(
        ({ examples }) => examples,
        () => [],
      )
      input.signal?.throwIfAborted()
      return { examples, usage: noModelUsage }
    }
    const making = makeExamples(input)
    known.set(key, making)
    const [oldest] = known.keys()
    if (known.size > MOST_QUESTIONS && oldest !== undefined) known.delete(oldest)
    try {
      return await making
    } catch (error) {
      known.delete(key)
      throw error
    }
  }
}
