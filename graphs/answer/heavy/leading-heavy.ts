import type { Candidate } from '../../../src/core/candidate.ts'
import type { State } from '../state.ts'

/**
 * The candidate that would be the answer, had it not been too heavy to run: of this round, and likelier than each that did
 * run. A lighter statement is no answer just because it is lighter. Null where there is none.
 */
export const leadingExpensive = (
  candidates: readonly Candidate[],
  { round }: Pick<State, 'round'>,
): Candidate | null => {
  const current = candidates.filter(({ id }) => id.startsWith(`${round}/`))
  const ran = current.filter(({ run }) => run?.status === 'ran')
  const [leading] = current.filter(isExpensive).sort((a, b) => b.prior - a.prior)
  return leading !== undefined && ran.every(({ prior }) => prior < leading.prior) ? leading : null
}

/** Whether a candidate was not run because it would read too much. */
export const isExpensive = ({ run }: Pick<Candidate, 'run'>): boolean =>
  run?.status === 'failed' && run.errorClass === 'too-heavy'
