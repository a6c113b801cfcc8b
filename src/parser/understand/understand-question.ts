import { DateTime } from 'luxon'
import type { RequestKind, UnderstandQuestion } from '../../domain/question-context.ts'
import { findPeriods } from './find-periods.ts'

/**
 * Classifies a question without a model: what kind of request it is, and which days its periods mean on the asker's
 * calendar. A time zone that does not exist counts as UTC.
 */
export const understandQuestion: UnderstandQuestion = (text, clock) => {
  const zoned = DateTime.fromJSDate(clock.now(), { zone: clock.timeZone })
  const now = zoned.isValid ? zoned : DateTime.fromJSDate(clock.now(), { zone: 'utc' })
  const today = now.startOf('day')
  const trimmed = text.replace(/\s+/g, ' ').trim()
  const kind = classifyRequest(trimmed)
  return {
    kind,
    text: trimmed,
    spans: kind === 'data' ? findPeriods(trimmed, today) : [],
    today: today.toISODate() ?? '',
    timeZone: zoned.isValid ? clock.timeZone : 'UTC',
  }
}

/** Questions about Querent or about the database as a whole, not about its rows. */
const metaPatterns: readonly RegExp[] = [
  /^(help|menu|commands|usage|info)[\s!?.]*$/,
  /\b(what|which|list|show)\b.*\b(tables|datasets?|schemas?|databases?)\b.*\b(do|can|could) (you|i|we)\b/,
  /\b(what|which)\b.*\b(tables|schemas?|datasets?)\b.*\b(are|exist|in (the|this|your) database)\b.*\b(there|exist|have|database|available)\b/,
  /^(list|show|describe)( me)?( all)?( of)?( the| your)? (tables|schema|database)( names)?( please)?[\s!?.]*$/,
  /^(which|what) tables[\s!?.]*$/,
  /\b(what|which) (kind of |sort of |type of )?(data|information) (do|can) (you|i|we)\b/,
  /\bwhat (can|could|do) (you|i) (do|ask|answer|know|help)\b/,
  /\bhow (do|can|does|should) (i|you|this|it|querent) (use|work|ask)\b/,
  /\bwho (are|made|built) you\b|\bwhat are you\b|\bare you (a )?(bot|human|robot|person)\b/,
]

const smallTalk =
  /^(hi|hello|hey|hiya|howdy|yo|greetings|moin|good (morning|afternoon|evening|night|day)|thanks?|thank you|thx|cheers|bye|goodbye|see (you|ya)|ok(ay)?|cool|great|nice|awesome|perfect|well done|good (job|bot)|sorry|please|yes|no|lol|ha(ha)*|how are you|how is it going|how's it going|what's up|sup|tell me a joke|never ?mind)\b/

/** Small talk may precede a question; with at most this many words after it, it is only small talk. */
const MAX_SMALL_TALK_WORDS = 5

/**
 * Tells data questions from questions about Querent, small talk and empty messages. If in doubt, it is a data
 * question.
 */
export const classifyRequest = (text: string): RequestKind => {
  const folded = text.toLowerCase().replace(/\s+/g, ' ').trim()
  if (!/[\p{L}\p{N}]/u.test(folded)) return 'empty'
  if (metaPatterns.some(pattern => pattern.test(folded))) return 'meta'
  const words = folded.split(' ').length
  if (
    smallTalk.test(folded) &&
    words <= MAX_SMALL_TALK_WORDS &&
    !/\b(how many|show|list|count)\b/.test(folded)
  ) {
    return 'small-talk'
  }
  return 'data'
}
