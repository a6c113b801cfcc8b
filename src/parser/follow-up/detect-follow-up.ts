import { foldText } from '../../lib/fold-text.ts'
import { classifyRequest } from '../understand/understand-question.ts'
import { readPlainEdit } from './plain-edit.ts'

/** Words that point at what was said before. */
const referringWords =
  /\b(?:they|them|those|these|that one|this one|it|ones|same|again|instead|previous|above|before that|as before)\b/

/** How a whole question opens. */
const questionOpening =
  /^(?:how (?:many|much|often|long|old)|what(?:'s| is| are| was| were)?|which|who|whom|whose|when|where|show(?: me)?|list|count|give(?: me)?|find|tell me|return|get|display|do|does|did|is|are|was|were|number of|the number of)\b/

/** A change is said in a few words. */
const MAX_WORDS_OF_EDIT = 7

/**
 * Whether a message in a thread is a question of its own rather than a change of the one before: it opens as a question
 * does, says what it is about (`names`: it names a table or a column of the database) and points at nothing before it.
 */
export const isNewQuestion = ({ text, cued }: StrippedFollowUp, names: boolean): boolean => {
  const folded = foldText(text)
  if (referringWords.test(folded)) return false
  const words = folded.split(/\s+/).filter(Boolean).length
  if (questionOpening.test(folded)) return names || words > MAX_WORDS_OF_EDIT
  return !cued && words > MAX_WORDS_OF_EDIT
}

/** Whether it says of itself that it follows: by how it opens or ends, or by what it points at. */
export const refersToPrevious = ({ text, cued }: StrippedFollowUp): boolean =>
  cued || referringWords.test(foldText(text))

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

/** A period, a grouping or a condition without anything that it is of. */
const fragment =
  /^(?:by|per|in|for|with|without|since|before|after|during|from|between|last|this|more than|less than|at least|at most)\b/

/** A change is said in a few words. */
const MAX_WORDS_OF_FRAGMENT = 6

/**
 * Whether words that stand in no thread are a change of something that was asked before: they open, end or point back
 * as only a change does, or are no sentence. A question of its own is never one.
 */
export const looksLikeEdit = (text: string): boolean => {
  const stripped = stripFollowUpCues(text)
  if (stripped.text === '' || stripped.text.split(/\s+/).length > MAX_WORDS_OF_FRAGMENT) return false
  return (
    readPlainEdit(stripped.text, stripped.replaces) !== null ||
    refersToPrevious(stripped) ||
    fragment.test(foldText(stripped.text))
  )
}

/** A follow-up without the words that only say that it is one. */
export interface StrippedFollowUp {
  /** What is left, without marks at its end. */
  readonly text: string
  /** It comes on top of what was asked: "France too". */
  readonly adds: boolean
  /** It opens with "and", which adds a grouping ("and by month") but asks for another value ("and France?"). */
  readonly joins: boolean
  /** It takes the place of what was asked: "by month instead". */
  readonly replaces: boolean
  /** It opens or ends as only a follow-up does. */
  readonly cued: boolean
}

type Meaning = 'adds' | 'joins' | 'replaces' | 'neutral'

const openers: readonly (readonly [RegExp, Meaning])[] = [
  [/^and\b[\s,]*/i, 'joins'],
  [/^(?:also|plus)\b[\s,]*/i, 'adds'],
  [/^(?:what|how) about\b\s*/i, 'replaces'],
  [/^(?:the )?same\b(?: (?:thing|question|again|as before))?[\s,]*/i, 'neutral'],
  [/^(?:but|only|just|now|then|so|ok|okay|instead|again|rather)\b[\s,]*/i, 'neutral'],
]

/** Manners, which say neither that a question follows nor that it does not. */
const politeWords = /^(?:please|can you|could you|can we|could we|let's|let us|i mean|i meant)\b[\s,]*/i

const shows =
  /^(?:show|give|make|do|see|split|break|group|filter)(?: (?:me|us))?(?: (?:it|this|that|them))?(?: down)?\s+(?=(?:only|just|by|per|for|in|as|with|without|the (?:top|bottom|first|last|average|total|sum|same))\b)/i

const endings: readonly (readonly [RegExp, Meaning])[] = [
  [/[\s,]+instead$/i, 'replaces'],
  [/[\s,]+(?:too|also|as well)$/i, 'adds'],
  [/[\s,]+(?:only|again|alone|this time|though)$/i, 'neutral'],
]

/** Takes the cues off both ends, however many there are. */
export const stripFollowUpCues = (said: string): StrippedFollowUp => {
  let text = trim(said)
  let adds = false
  let joins = false
  let replaces = false
  let cued = false
  for (let before = ''; before !== text; ) {
    before = text
    text = trim(text.replace(/[\s,]*\bplease$/i, '').replace(politeWords, ''))
    if (shows.test(text)) {
      text = text.replace(shows, '')
      cued = true
    }
    for (const [pattern, meaning] of [...openers, ...endings]) {
      if (!pattern.test(text) || trim(text.replace(pattern, '')) === '') continue
      text = trim(text.replace(pattern, ''))
      adds ||= meaning === 'adds'
      joins ||= meaning === 'joins'
      replaces ||= meaning === 'replaces'
      cued = true
    }
  }
  return { text, adds: adds && !replaces, joins: joins && !replaces, replaces, cued }
}

const trim = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[\s?!.,;:…]+$/u, '')
    .replace(/^[\s,.;:…-]+/u, '')
