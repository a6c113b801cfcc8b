import { foldText } from '../../lib/fold-text.ts'
import { stripSmallTalk } from '../../lib/small-talk.ts'
import { classifyRequest } from '../understand/understand-question.ts'
import { readPlainEdit } from './plain-edit.ts'
import { toPlainTalk } from './plain-talk.ts'

/** Words that refer to what was said before. */
const referringWords =
  /\b(?:they|them|those|these|that one|this one|it|ones|same|again|instead|previous|above|before that|as before)\b/

/** It speaks of what the answer before shows: "their emails", "how many customers is that?", "split it by region". */
const referringPhrases = [
  /^(?:(?:what|who|which|where|when|show|give|list|get|tell|add|include|and|with|also|is|are|was|were|me|us)\s+)*(?:their|its)\b/,
  /\b(?:is|are|was|were|does|do) (?:that|this)$/,
  /^(?:\w+ )?(?:make|turn|show|compare|split|break|put|express|sort|order|group|filter|limit|plot|do|see|have|get|how does) (?:me |us )?(?:that|this)\b/,
] as const

const refersBack = (folded: string): boolean =>
  referringWords.test(folded) || referringPhrases.some(pattern => pattern.test(folded))

/** How a complete question begins. */
const questionOpening =
  /^(?:how (?:many|much|often|long|old)|what(?:'s| is| are| was| were)?|which|who|whom|whose|when|where|show(?: me)?|list|count|give(?: me)?|find|tell me|return|get|display|do|does|did|is|are|was|were|number of|the number of)\b/

const MAX_WORDS_OF_EDIT = 7

/**
 * Whether a message in a thread is a new question rather than a change of the one before: it begins like a question,
 * says what it is about (`names`: it names a table or a column) and refers to nothing before it.
 */
export const isNewQuestion = ({ text, cued }: StrippedFollowUp, names: boolean): boolean => {
  const folded = foldText(text)
  if (refersBack(folded)) return false
  const words = folded.split(/\s+/).filter(Boolean).length
  if (questionOpening.test(folded)) return names || words > MAX_WORDS_OF_EDIT
  return !cued && words > MAX_WORDS_OF_EDIT
}

/** Whether it is marked as a follow-up by how it begins or ends, or by what it refers to. */
export const refersToPrevious = ({ text, cued }: StrippedFollowUp): boolean =>
  cued || refersBack(foldText(text))

/** Words of doubt, of correcting and of joining sentences: around them a change may mean more than it names. */
const unsureWords =
  /\b(?:but|because|though|seems?|looks?|wrong|off|weird|odd|strange|mean|meant|sure|think|guess|not|why|should|would|could|can|if|than|still|else|other|rest)\b/

/**
 * Whether the words of a change can hardly mean anything else: few, in one piece, marked as a change, no sentence, without
 * objection or doubt.
 */
export const isPlainChange = (said: string): boolean => {
  const { text } = stripFollowUpCues(said)
  const folded = foldText(text)
  return (
    !stripSmallTalk(said).objects &&
    toPlainTalk(said) === said &&
    looksLikeEdit(said) &&
    !/[,;:.?!]\s/.test(text) &&
    !unsureWords.test(folded) &&
    (readPlainEdit(text, false) !== null || !questionOpening.test(folded))
  )
}

/** Whether a message begins like a complete question and refers to nothing before it. */
export const opensQuestion = (text: string): boolean => {
  const folded = foldText(text)
  return (
    questionOpening.test(folded) && !refersBack(folded) && folded.split(/\s+/).length > MIN_WORDS_OF_QUESTION
  )
}

/** Fewer words than this do not make a question of their own. */
const MIN_WORDS_OF_QUESTION = 3

/** How questions and requests begin. */
const requestOpening =
  /^(?:how|what|which|who|whom|whose|when|where|why|show|list|count|give|find|tell|compare|break|group|sort|order|rank|filter|plot|draw|chart|average|total|sum|number|top|bottom|by|per|in|for|with|without|since|before|after|during|last|this|lowest|highest|do|does|did|is|are|was|were|can|could)\b/

const units = '(?:periods?|days?|weeks?|months?|quarters?|years?)'

/** Whole messages that can only change an answer. Pronouns as objects ("drop it") are people talking. */
const changePhrases = [
  /^(?:as|in) (?:an? )?(?:percent(?:ages?)?|%|shares?|proportions?)(?: of .+)?$/,
  /^(?:exclude|excluding|leave out|drop|remove|hide|filter out|omit|add|include)(?! (?:it|this|that|me|us|him|her|them|you|my|our|your)\b)(?: [\w'&.-]+){1,4}$/,
  new RegExp(`^(?:in |for )?(?:the )?(?:previous|prior|preceding|following) ${units}$`),
  new RegExp(`^(?:the |an? |one )?${units} (?:before|earlier|prior|after|later)(?: (?:that|this))?$`),
  /^(?:day|week|month|quarter|year) over (?:day|week|month|quarter|year)$/,
  /^(?:vs\.?|versus|compared (?:to|with)) .{1,30}$/,
  /^(?:cumulative(?:ly)?|(?:as )?(?:a )?running totals?|year to date|daily|weekly|monthly|quarterly|yearly)$/,
  /^(?:(?:make|turn) (?:it|this|that) (?:into )?)(?:daily|weekly|monthly|quarterly|yearly|days|weeks|months|quarters|years)$/,
  /^(?:reverse|flip)(?: (?:it|that|the order))?$|^(?:sorted|ordered|ranked) by .{1,30}$/,
] as const

const isChangePhrase = (text: string): boolean => {
  const folded = foldText(text).replace(/[\s?!.]+$/u, '')
  return changePhrases.some(pattern => pattern.test(folded))
}

/** What people say to each other about an answer. */
const conversationWords =
  /\b(?:i|i'm|i'll|we|we're|we'll|let me|lets|let's|my|our|you're|thanks|thank|agree|agreed|disagree|sure|makes sense|looks? (?:good|right|wrong|odd|off|like)|lol|haha|yes|no|nope|yep|yeah|wow|hmm+|ok|okay|interesting|weird|strange|nice|great|cool)\b/

/** How a request begins that follows something said to the others: "Germany seems off, can you split it by city". */
const laterRequest =
  /^(?:(?:please |pls )?(?:can|could) (?:you|we|i)(?: please| pls| also)? (?:show|see|get|split|break|drill|group|sort|order|rank|filter|compare|plot|draw|chart|exclude|leave out|drop|remove|add|include|list|count|do (?:that|this|it|the same)|make (?:it|that|this))\b|(?:what|how) about\b|split (?:it|that|this|them)\b|break (?:it|that|this|them) down\b)/

const hasLaterRequest = (folded: string): boolean =>
  folded
    .split(/[,.;:!?–—]\s+|\s+(?:but|so|and)\s+/)
    .slice(1)
    .some(clause => laterRequest.test(clause.replace(/^(?:but|so|and|ok|okay|now|then) /, '')))

const MAX_WORDS_OF_REQUEST = 5

/** Says that a change follows; the words that tell talk from requests are looked for in the rest. */
const meaning = /^i (?:mean|meant)\b[\s,]*/

/**
 * Whether a message without a mention, in a thread with an answer, is meant for the bot: a question, a request, or a
 * change of what was asked. People's talk about an answer is not, and neither is small talk, which may still come
 * before a request. If in doubt, it is not.
 */
export const isRequestToBot = (said: string): boolean => {
  const kind = classifyRequest(said)
  if (kind === 'small-talk' || kind === 'empty') return false
  const { text } = stripSmallTalk(said)
  const folded = foldText(text).trim().replace(meaning, '')
  const { text: stripped, cued } = stripFollowUpCues(text)
  if (readPlainEdit(stripped, false) || isChangePhrase(text) || isChangePhrase(stripped)) return true
  if (hasLaterRequest(foldText(said))) return true
  const opens = requestOpening.test(folded) || requestOpening.test(foldText(stripped))
  if (opens && (/\?\s*$/.test(text) || !conversationWords.test(folded))) return true
  if (conversationWords.test(folded)) return false
  if (/\?\s*$/.test(text)) return true
  return cued && stripped.split(' ').length <= MAX_WORDS_OF_REQUEST
}

/** A period, a grouping or a condition without what it applies to. */
const fragment =
  /^(?:by|per|in|for|with|without|excluding|except|since|before|after|during|from|between|last|this|more than|less than|at least|at most)\b/

const MAX_WORDS_OF_FRAGMENT = 6

/**
 * Whether a message outside a thread changes something that was asked before: it begins, ends or refers back as only
 * a change does, or is not a sentence. A complete question never is.
 */
export const looksLikeEdit = (text: string): boolean => {
  const stripped = stripFollowUpCues(text)
  if (stripped.text === '' || stripped.text.split(/\s+/).length > MAX_WORDS_OF_FRAGMENT) return false
  return (
    readPlainEdit(stripped.text, stripped.replaces) !== null ||
    isChangePhrase(text) ||
    refersToPrevious(stripped) ||
    fragment.test(foldText(stripped.text))
  )
}

/** A follow-up without the words that only mark it as one. */
export interface StrippedFollowUp {
  /** The remaining text, without punctuation at its end. */
  readonly text: string
  /** It adds to what was asked: "France too". */
  readonly adds: boolean
  /** It begins with "and", which adds a grouping ("and by month") but replaces a value ("and France?"). */
  readonly joins: boolean
  /** It replaces what was asked: "by month instead". */
  readonly replaces: boolean
  /** It begins or ends as only a follow-up does. */
  readonly cued: boolean
}

type Meaning = 'adds' | 'joins' | 'replaces' | 'neutral'

const openers: readonly (readonly [RegExp, Meaning])[] = [
  [/^and\b[\s,]*/i, 'joins'],
  [/^(?:also|plus)\b[\s,]*/i, 'adds'],
  [/^(?:what|how) about\b\s*/i, 'replaces'],
  [/^(?:the )?same\b(?: (?:thing|question|again|as before))?[\s,]*/i, 'neutral'],
  [/^(?:but|only|just|now|then|so|ok|okay|instead|again|rather)\b[\s,]*/i, 'neutral'],
  [/^(?:actually|wait|i mean|i meant|i wanted)\b[\s,]*/i, 'neutral'],
]

/** Polite words, which say nothing about whether a question follows. */
const politeWords = /^(?:please|can you|could you|can we|could we|let's|let us)\b[\s,]*/i

const shows =
  /^(?:show|give|make|do|see|split|break|group|filter)(?: (?:me|us))?(?: (?:it|this|that|them))?(?: down)?\s+(?=(?:only|just|by|per|for|in|as|with|without|the (?:top|bottom|first|last|average|total|sum|same))\b)/i

const endings: readonly (readonly [RegExp, Meaning])[] = [
  [/[\s,]+instead$/i, 'replaces'],
  [/[\s,]+(?:too|also|as well)$/i, 'adds'],
  [/[\s,]+(?:only|again|alone|this time|though)$/i, 'neutral'],
]

/** Removes the cues from both ends, however many there are. */
export const stripFollowUpCues = (said: string): StrippedFollowUp => {
  const withoutTalk = stripSmallTalk(said)
  let text = trim(toPlainTalk(trim(withoutTalk.text)))
  let adds = false
  let joins = false
  let replaces = false
  // Objecting to an answer says that the rest corrects it.
  let cued = withoutTalk.objects
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
