import type { RevisionResult } from '../../core/answer-revision.ts'
import { truncateText } from '../cut-text.ts'

/** Errors of a database may be long and may quote data; this much of one is shown. */
const LONGEST_REASON = 500

/** For whoever closed the form in which it would be decided. */
export const useFormAgainHint = 'Use the form again to have it run all the same.'

/** Why an answer was not changed, and what to do; null when it was. */
export const formatRevisionFailure = (revised: RevisionResult): string | null => {
  switch (revised.status) {
    case 'revised':
      return null
    case 'late':
      return 'Somebody was faster: this was decided already.'
    case 'unfit':
      return `Not run: ${truncateText(revised.reason, LONGEST_REASON)}`
    case 'too-heavy':
      return revised.reason
    case 'gone':
      return 'This answer is no longer kept. Ask the question again.'
    case 'not-allowed':
      return `${revised.reason} ${revised.nextStep}`
    default: {
      const never: never = revised
      return never
    }
  }
}
