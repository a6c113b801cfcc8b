import { DateTime } from 'luxon'
import type { RequestKind, UnderstandQuestion } from '../../domain/question-context.ts'
import { isOnlySmallTalk, stripSmallTalk } from '../../lib/small-talk.ts'
import { findPeriods } from './find-periods.ts'

/**
 * Classifies a question without a model: what kind of request it is, and which days its periods mean on the asker's
 * calendar. A time zone that does not exist counts as UTC.
 */
export const understandQuestion: UnderstandQuestion = (text, clock) => {
  const zoned = DateTime.fromJSDate(clock.now(), { zone: clock.timeZone })
  const now = zoned.isValid ? zoned : DateTime.fromJSDate(clock.now(), { zone: 'utc' })
  const today = now.startOf('day')
  const kind = classifyRequest(text)
  const asked = (kind === 'data' ? stripReason(stripSmallTalk(text).text) : text).replace(/\s+/g, ' ').trim()
  return {
    kind,
    text: asked,
    spans: kind === 'data' ? findPeriods(asked, today) : [],
    today: today.toISODate() ?? '',
    timeZone: zoned.isValid ? clock.timeZone : 'UTC',
  }
}

const reasonPattern =
  /\s*(?:[-–—,;(]\s*|(?<=[.?!])\s+)(?:(?:i|we) )?(?:(?:just )?need (?:it|this|that|them)|(?:it|this|that)(?:'s| is) for|asking (?:for|because|since)|because (?:i|we)|for (?:my|our|the|a|an) (?:[\w'-]+ ){0,3}(?:report|deck|slides?|presentation|meeting|review|board|call|newsletter|audit)\b)[^?.!]*[?.!)]*\s*$/i

/** A question without what it is asked for: " - need it for the board deck". */
const stripReason = (text: string): string => {
  const asked = text.replace(reasonPattern, '')
  return asked.split(/\s+/).length >= MIN_ASKED ? asked : text
}

/** What is left without a reason is a question only if it has this many words. */
const MIN_ASKED = 2

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

/**
 * Tells data questions from questions about Querent, small talk and empty messages. If in doubt, it is a data
 * question.
 */
export const classifyRequest = (text: string): RequestKind => {
  if (isOnlySmallTalk(text)) return 'small-talk'
  const folded = stripSmallTalk(text).text.toLowerCase().replace(/\s+/g, ' ').trim()
  if (!/[\p{L}\p{N}]/u.test(folded)) return 'empty'
  return metaPatterns.some(pattern => pattern.test(folded)) ? 'meta' : 'data'
}
