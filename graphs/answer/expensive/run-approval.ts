import { clarificationText, runApprovalText } from '../../../src/domain/answer-wording/clarifications.ts'
import type { Candidate } from '../../../src/domain/candidate.ts'
import type { Clarification } from '../../../src/domain/clarification.ts'
import type { State } from '../state.ts'

/** Asks whether to run an expensive statement. Silence never means yes. */
export const askToRunExpensive = ({ id, run }: Candidate): Clarification => ({
  question: clarificationText({
    kind: 'run-expensive',
    estimate: run?.status === 'failed' ? run.message : '',
  }),
  options: [
    { ...runApprovalText.run, candidateIds: [id], act: 'run' },
    { ...runApprovalText.narrow, candidateIds: [], act: 'narrow' },
    { ...runApprovalText.cancel, candidateIds: [], act: 'cancel' },
  ],
  defaultOption: 2,
})

const YES = /^(?:y|yes|yep|yeah|ok|okay|sure|go|go ahead|do it|run|run it|please do)[.!]*$/

const NO = /^(?:n|no|nope|stop|cancel|don't|do not|never mind|nevermind)[.!]*$/

/** The number of the option that a plain yes or no means; null for other words, and if nothing was asked about running. */
export const yesOrNo = (reply: string, { options }: Pick<Clarification, 'options'>): number | null => {
  const text = reply.trim().toLowerCase()
  const act = YES.test(text) ? 'run' : NO.test(text) ? 'cancel' : null
  const at = act === null ? -1 : options.findIndex(option => option.act === act)
  return at < 0 ? null : at + 1
}

/**
 * The candidate that would be the answer if it were not too expensive to run: of this attempt, and likelier than all that did
 * run. A cheap statement is not right just because it is cheap. Null if there is none.
 */
export const leadingExpensive = (
  candidates: readonly Candidate[],
  { round: attempt }: Pick<State, 'round'>,
): Candidate | null => {
  const current = candidates.filter(({ origin }) => origin.attempt === attempt)
  const ran = current.filter(({ run }) => run?.status === 'ran')
  const [leading] = current.filter(isExpensive).sort((a, b) => b.prior - a.prior)
  return leading !== undefined && ran.every(({ prior }) => prior < leading.prior) ? leading : null
}

/** Whether a candidate was not run because it would read too much. */
export const isExpensive = ({ run }: Pick<Candidate, 'run'>): boolean =>
  run?.status === 'failed' && run.errorClass === 'too-heavy'
