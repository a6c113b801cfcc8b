import type { Evidence } from '../../src/domain/candidate.ts'
import type { CandidateVote } from '../../src/domain/selection/ranking.ts'

const spotless: Evidence = { isEmpty: false, absentLiterals: 0, columnInversions: 0 }

/** A vote for a result; `columns` tells apart results that differ in the order of columns. */
export const makeCandidateVote = (
  candidateId: string,
  result: string | null,
  options: {
    readonly lineage?: string
    readonly columns?: string
    readonly evidence?: Partial<Evidence>
  } = {},
): CandidateVote => ({
  candidateId,
  lineage: options.lineage ?? 'a',
  run:
    result === null
      ? null
      : {
          groupKey: result,
          columnsKey: `${result} ${options.columns ?? ''}`,
          evidence: { ...spotless, ...options.evidence },
        },
})
