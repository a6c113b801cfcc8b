import { stripSmallTalk } from '../../lib/small-talk.ts'

/** Doubt about a part of an answer, before a request about that part. */
const doubt =
  /^(?<part>[^,.;:?!]{1,40}?)(?:'s|\s+(?:seems?|looks?|is|are|sounds?|feels?))\s+(?:(?:a bit|a little|really|way|too|very|kind of|kinda|so|pretty)\s+)*(?:off|wrong|odd|weird|strange|low|high|small|big|large|funny|fishy|suspicious|surprising)\b[\s,.;:!–—-]+(?:so\s+|but\s+|and\s+)?(?<request>(?:can|could|please|pls|show|split|break|give|make|drill|compare|only|by|per|just|what|how|which|leave|take|drop|exclude|remove|ignore)\b.+)$/i

/** "Can you leave it out", of what was doubted. */
const leavesOut =
  /^(?:(?:can|could) (?:you|we) )?(?:please |pls |just )*(?:leave|take|drop|exclude|remove|ignore) (?:it|them|that|those|this)(?: out| away)?(?: please)?[\s?!.]*$/i

const pronoun = /^(?:that|this|it|they|these|those|there|he|she|i|we)$/i

/** "Spa not included" leaves it out. */
const notIncluded =
  /(?<before>^|[,;(]\s*(?:and\s+)?|\band\s+)(?:the\s+)?(?<what>[\p{L}\p{N}'&-]+(?: [\p{L}\p{N}'&-]+)?)\s+(?:is\s+|are\s+)?(?:not included|excluded|left out)\b/iu

/** What a figure is made of: "how many reviews is that based on". */
const basis =
  /\s+(?:is|are|was|were)\s+(?:that|this|it|they|these|those)\s+(?:based on|made of|made up of|calculated from|computed from|out of|from)\b/i

const insteadOf =
  /\s+(?:instead of|rather than|in place of)\s+(?:by\s+)?(?:the\s+)?[\p{L}\p{N}' -]{1,40}(?=[\s?!.]*$)/iu

/**
 * Rewrites ways of talking about an answer as the plain change that they ask for: "Germany seems off, can you split it by
 * city" as "split it by city for Germany". Texts that say nothing of the kind stay as they are.
 */
export const toPlainTalk = (said: string): string => {
  const { text } = stripSmallTalk(said)
  return said.endsWith(text) ? said.slice(0, said.length - text.length) + rewrite(text) : rewrite(said)
}

const rewrite = (said: string): string => {
  const { part, request } = doubt.exec(said)?.groups ?? {}
  if (part !== undefined && request !== undefined) {
    if (!pronoun.test(part.trim()) && leavesOut.test(request)) return `without ${part.trim()}`
    const asked = rewrite(request)
    return pronoun.test(part.trim()) ? asked : `${asked.replace(/[\s?!.]+$/u, '')} for ${part.trim()}`
  }
  return said
    .replace(notIncluded, '$<before>without $<what>')
    .replace(insteadOf, ' instead')
    .replace(basis, '')
}

/** What people say of an answer as it is. */
const judgement =
  '(?:tiny|small|little|big|huge|high|low|off|wrong|right|weird|odd|strange|fine|true|surprising|interesting|crazy|insane|wild|bad|terrible|awful|good|impressive|sad|funny|unexpected|expected|impossible|unlikely|possible)'

const remarks = [
  new RegExp(
    `^(?!(?:what|which|who|where|when|how|is|are|was|were|does|do|did)\\b)[^,;:?]{1,60}?(?:'s|\\s(?:is|are|was|were|looks?|seems?|sounds?|feels?|can't be|cannot be|can not be|must be|isn't|aren't))\\s+(?:(?:a|so|really|way|too|very|pretty|quite|still|just|all|bit|kind of|kinda|not|much)\\s+)*${judgement}(?:\\s+(?:here|now|to me|though|indeed|enough))?[\\s!.…]*$`,
    'i',
  ),
  /^(?:i|we) (?:think|guess|believe|suppose|doubt|wonder|bet|assume|suspect|expected|thought|knew|hope|remember|didn't|did not|don't|do not)\b(?!.*\?\s*$)/i,
] as const

/** Whether a text only comments on an answer: "that can't be right", "Porto is tiny". */
export const isRemark = (text: string): boolean => {
  const plain = stripSmallTalk(text).text.replaceAll('’', "'")
  return remarks.some(pattern => pattern.test(plain.trim()))
}

const doubtful =
  /\b(?:wrong|off|right|weird|odd|strange|impossible|unlikely|possible|true|doubt|missing|expected|thought|suspect|wonder)\b/i

/** Whether a remark doubts the answer: then something may be wanted that it does not say. */
export const isDoubt = (text: string): boolean => isRemark(text) && doubtful.test(text)
