import { foldText } from '../../lib/fold-text.ts'
import { readPlainEdit } from '../follow-up/plain-edit.ts'
import { stripFollowUpCues } from '../follow-up/strip-cues.ts'
import { classifyRequest } from './classify-request.ts'

/** How questions and orders open. */
const requestOpening =
  /^(?:how|what|which|who|whom|whose|when|where|why|show|list|count|give|find|tell|compare|break|group|sort|order|rank|filter|plot|draw|chart|average|total|sum|number|top|bottom|by|per|in|for|with|without|since|before|after|during|last|this|lowest|highest|do|does|did|is|are|was|were|can|could)\b/

/** What people say to each other about an answer. */
const conversationWords =
  /\b(?:i|i'm|i'll|we|we're|we'll|let me|lets|let's|my|our|you're|thanks|thank|agree|agreed|disagree|sure|makes sense|looks? (?:good|right|wrong|odd|off|like)|lol|haha|yes|no|nope|yep|yeah|wow|hmm+|ok|okay|interesting|weird|strange|nice|great|cool)\b/

/** A change is said in a few words. */
const MAX_WORDS_OF_REQUEST = 5

/**
 * Whether words in a thread of ours that name nobody are for us: a question, an order, or a change of what was asked.
 * People's talk about an answer is not, and neither are pleasantries. Errs on the side of silence.
 */
export const isRequestToBot = (text: string): boolean => {
  const kind = classifyRequest(text)
  if (kind === 'small-talk' || kind === 'empty') return false
  const folded = foldText(text).trim()
  const { text: stripped, cued } = stripFollowUpCues(text)
  if (readPlainEdit(stripped, false)) return true
  const opens = requestOpening.test(folded) || requestOpening.test(foldText(stripped))
  if (opens && (/\?\s*$/.test(text) || !conversationWords.test(folded))) return true
  if (conversationWords.test(folded)) return false
  if (/\?\s*$/.test(text)) return true
  return cued && stripped.split(' ').length <= MAX_WORDS_OF_REQUEST
}
