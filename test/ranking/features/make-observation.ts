import type { CandidateObservation, ResultSketch, StatementPartKind } from '../../../src/domain/candidate.ts'
import type { CandidateVote } from '../../../src/domain/selection/ranking.ts'
import { makeCandidateVote } from '../make-candidate-vote.ts'

/** What was observed of a candidate, in plain words in the place of hashes. */
export interface Seen {
  readonly parts?: Partial<Record<StatementPartKind, readonly string[]>>
  readonly sketch?: Partial<ResultSketch>
  readonly measures?: Readonly<Record<string, number>>
  readonly columnOrder?: number
}

/** An observation of which a test names only what it is about. */
export const makeObservation = ({
  parts,
  sketch,
  measures = {},
  columnOrder = 0,
}: Seen): CandidateObservation => ({
  measures,
  parts: { table: [], column: [], clause: [], literal: [], skeleton: [], ...parts },
  sketch: { rows: [], columns: [], cells: [], ...sketch },
  columnOrder,
})

/** A vote with an observation. */
export const makeObservedVote = (
  candidateId: string,
  result: string,
  { lineage = 'a', columns = '', ...seen }: Seen & { readonly lineage?: string; readonly columns?: string },
): CandidateVote =>
  makeCandidateVote(candidateId, result, {
    lineage,
    columns,
    evidence: { observation: makeObservation(seen) },
  })
