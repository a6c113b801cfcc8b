import type { NotAllowed } from './access.ts'

/**
 * Answers a question anew, past the cache, in the same message. `over`: somebody was faster, or the question was taken
 * back.
 */
export type RerunQuestion = (given: {
  readonly questionId: string
  readonly person: string
}) => Promise<{ readonly status: 'again' } | { readonly status: 'over' } | NotAllowed>
