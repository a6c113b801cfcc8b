import type { DraftInput } from '../../../src/core/draft.ts'
import type { ListVerified, VerifiedQuery } from '../../../src/core/verified-query.ts'
import { findQuestionLiterals, type QuestionLiteral } from './find-spoken.ts'

/** What a new question names, and the verified queries of its database. */
export interface FoundVerified {
  readonly spoken: readonly QuestionLiteral[]
  readonly queries: readonly VerifiedQuery[]
}

/** Finds both. No queries where they cannot be read: they are a help, no more. Rejects when the signal fired. */
export const findVerified = async (
  {
    understanding,
    database,
    matches,
    signal,
  }: Pick<DraftInput, 'understanding' | 'database' | 'matches' | 'signal'>,
  listVerified: ListVerified,
): Promise<FoundVerified> => {
  const queries = await listVerified(database.name, signal ? { signal } : {}).catch(() => [])
  signal?.throwIfAborted()
  return {
    spoken: findQuestionLiterals(understanding.text, { matches, spans: understanding.spans }),
    queries,
  }
}
