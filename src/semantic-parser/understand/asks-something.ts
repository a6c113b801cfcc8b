import { foldText } from '../../lib/fold-text.ts'
import { readPlainEdit } from '../follow-up/plain-edit.ts'
import { stripCues } from '../follow-up/strip-cues.ts'
import { classifyRequest } from './classify-request.ts'

/** How questions and orders open. */
const opening =
  /^(?:how|what|which|who|whom|whose|when|where|why|show|list|count|give|find|tell|compare|break|group|sort|order|rank|filter|plot|draw|chart|average|total|sum|number|top|bottom|by|per|in|for|with|without|since|before|after|during|last|this|lowest|highest|do|does|did|is|are|was|were|can|could)\b/

/** What people say to each other about an answer. */
const talk =
  /\b(?:i|i'm|i'll|we|we're|we'll|let me|lets|let's|my|our|you're|thanks|thank|agree|agreed|disagree|sure|makes sense|looks? (?:good|right|wrong|odd|off|like)|lol|haha|yes|no|nope|yep|yeah|wow|hmm+|ok|okay|interesting|weird|strange|nice|great|cool)\b/

/** A change is said in a few words. */
const MOST_WORDS = 5

/**
 * Whether words in a thread of ours that name nobody are for us: a question, an order, or a change of what was asked.
 * People's talk about an answer is not, and neither are pleasantries. Errs on the side of silence.
 */
export const asksSomething = (text: string): boolean => {
  const kind = classifyRequest(text)
  if (kind === 'small-talk' || kind === 'empty') return false
  const folded = foldText(text).trim()
  const { text: stripped, cued } = stripCues(text)
  if (readPlainEdit(stripped, false)) return true
  const opens = opening.test(folded) || opening.test(foldText(stripped))
  if (opens && (/\?\s*$/.test(text) || !talk.test(folded))) return true
  if (talk.test(folded)) return false
  if (/\?\s*$/.test(text)) return true
  return cued && stripped.split(' ').length <= MOST_WORDS
}
