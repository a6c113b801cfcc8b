import type { CandidateVote } from '../../core/standing.ts'

/** What one expert says of a question. */
export interface ExpertAnswer {
  /** Equal for equal results with their columns in the same order; null when nothing of the expert's ran. */
  readonly key: string | null
  /** The first of the expert's candidates with that result. */
  readonly candidateId: string | null
}

/** By expert, in the order in which they first spoke. */
export type ExpertAnswers = ReadonlyMap<string, ExpertAnswer>

/**
 * The experts of a question are the lineages of its candidates. Of several candidates an expert says what most of them
 * say, the earliest of equals: it has one word, however often it was asked.
 */
export const answersOfExperts = (ballots: readonly CandidateVote[]): ExpertAnswers =>
  new Map([...Map.groupBy(ballots, ({ lineage }) => lineage)].map(([expert, own]) => [expert, answerOf(own)]))

const answerOf = (ballots: readonly CandidateVote[]): ExpertAnswer => {
  const groups = Map.groupBy(
    ballots.filter(({ run }) => run !== null),
    ({ run }) => run!.columnsKey,
  )
  let key: string | null = null
  let members: readonly CandidateVote[] = []
  for (const [other, ballots] of groups)
    if (ballots.length > members.length) [key, members] = [other, ballots]
  return { key, candidateId: members[0]?.candidateId ?? null }
}
