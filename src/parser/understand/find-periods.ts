import type { DateTime } from 'luxon'
import type { TimeSpan } from '../../domain/question-context.ts'
import {
  absolutePattern,
  type DaySpan,
  numberPattern,
  relativePattern,
  resolveAbsolute,
  resolveRelative,
  unitPattern,
  weekdayPattern,
} from './resolve-periods.ts'

const anyPattern = `(?:${relativePattern}|${absolutePattern})`

const between = new RegExp(
  `(?<!\\w)(?:between|from) (${anyPattern}) (?:and|to|until|till|through|-) (${anyPattern})(?!\\w)`,
  'giu',
)

const bounded = new RegExp(
  `(?<!\\w)(since|after|before|until|till|up to|prior to|later than|earlier than|starting|ending|by|from(?= [^?.,]+ on(?:wards?)?\\b))? ?(?:(?:on )?${weekdayPattern},? )?(${anyPattern})(?:(?<=\\b(?:this|last) (?:week|month|quarter|year))s(?= \\p{L}))?(?![\\w%-]|\\.\\d)`,
  'giu',
)

/** "Since the beginning of the year", "from the start of October". */
const sinceStart = new RegExp(
  `(?<!\\w)(?:since|from) the (?:beginning|start) of (?:the |this )?(${anyPattern}|week|month|quarter|year)(?!\\w)`,
  'giu',
)

/** "Haven't ordered in 6 months", "not sold for 90 days": up to today. What is "not shipped in 3 days" took longer. */
const untilNow = new RegExp(
  `(?<=\\b(?:ha(?:ve|s)(?: \\w+)?(?:n['’]?t| not)|ha(?:ve|s)(?: \\w+)? never|haven['’]?t|hasn['’]?t|nobody|no one|without)\\b[^?.!;,]{0,60}?)\\b(?:in|for) ((?:more than |over |at least |the last |the past )?(${numberPattern}) ${unitPattern}s?)(?=\\s*(?:[?.!,]|$))`,
  'giu',
)

/** "Have been with us for over 5 years": since before then. What has been open for three days is compared as a length of time. */
const forSoLong = new RegExp(
  `(?<=\\bha(?:ve|s) been (?:here|around|with us|with the company|employed|working here|working for us|(?:a |our )?(?:customer|member|client|subscriber)s?) )for ((?:more than |over |at least |longer than )?(${numberPattern}) ${unitPattern}s?)(?!\\w)`,
  'giu',
)

/**
 * Every period that a text names, in order and without overlaps, as days in the time zone of `today`. A bare year is
 * included, because only the columns can tell whether it is a year or a plain number; so is a month's name.
 */
export const findPeriods = (text: string, today: DateTime): readonly TimeSpan[] => {
  const found: TimeSpan[] = []
  const free = (start: number, end: number): boolean =>
    found.every(span => end <= span.at[0] || start >= span.at[1])
  const add = (start: number, words: string, days: { from: DateTime | null; until: DateTime | null }) => {
    if (!free(start, start + words.length)) return
    // "This years revenue" lacks no more than its apostrophe.
    const phrase = words.replace(/((?:this|last) (?:week|month|quarter|year))s$/i, '$1')
    found.push({
      phrase,
      at: [start, start + phrase.length],
      from: days.from?.toISODate() ?? null,
      until: days.until?.toISODate() ?? null,
    })
  }
  for (const match of text.matchAll(between)) {
    const range = rangeOf(match[1] ?? '', match[2] ?? '', today)
    if (range) add(match.index, match[0], range)
  }
  for (const match of text.matchAll(sinceStart)) {
    const days = resolve(match[1] ?? '', today) ?? resolve(`this ${match[1]}`, today)
    if (days) add(match.index, match[0], { from: days.from, until: null })
  }
  for (const match of text.matchAll(untilNow)) {
    const words = (match[1] ?? '').replace(/^(?:more than|over|at least|the last|the past) /i, '')
    const days = resolve(`last ${words}`, today)
    if (days) add(match.index + match[0].indexOf(match[1] ?? ''), match[1] ?? '', days)
  }
  for (const match of text.matchAll(forSoLong)) {
    const words = (match[1] ?? '').replace(/^(?:more than|over|at least|longer than) /i, '')
    const days = resolve(`last ${words}`, today)
    if (days) add(match.index, match[0], { from: null, until: days.from })
  }
  for (const match of text.matchAll(bounded)) {
    const words = match[2] ?? ''
    const days = resolve(words, today)
    if (!days || isOtherwiseMeant(words, match[1], text.slice(0, text.indexOf(words, match.index)))) continue
    const phrase = match[0].trimStart()
    add(match.index + match[0].length - phrase.length, phrase, limit(match[1]?.toLowerCase(), days))
  }
  return found.sort((a, b) => a.at[0] - b.at[0])
}

const resolve = (words: string, today: DateTime): DaySpan | null =>
  resolveRelative(words, today) ?? resolveAbsolute(words, today)

/** Both ends are included. A first end without a year gets the second one's ("from January to March 2025"). */
const rangeOf = (first: string, second: string, today: DateTime): DaySpan | null => {
  const until = resolve(second, today)?.until
  const year = second.match(/(?:19|20)\d\d/)?.[0]
  const withYear = year && !/\d{4}/.test(first) ? resolveAbsolute(`${first} ${year}`, today) : null
  const from = (withYear ?? resolve(first, today))?.from
  return from && until && from < until ? { from, until } : null
}

const limit = (
  word: string | undefined,
  days: DaySpan,
): { from: DateTime | null; until: DateTime | null } => {
  switch (word) {
    case 'since':
    case 'from':
    case 'starting':
      return { from: days.from, until: null }
    case 'after':
    case 'later than':
      return { from: days.until, until: null }
    case 'before':
    case 'prior to':
    case 'earlier than':
      return { from: null, until: days.from }
    case 'until':
    case 'till':
    case 'up to':
    case 'by':
    case 'ending':
      return { from: null, until: days.until }
    default:
      return days
  }
}

/**
 * Whether the words mean something else: `may` and `march` are verbs and `sun` is a noun, so without a year they need
 * a preposition.
 */
const isOtherwiseMeant = (words: string, bound: string | undefined, before: string): boolean => {
  // "Their last day" is when they left.
  if (/^last day$/i.test(words) && /\b(?:their|his|her|its)\s*$/i.test(before)) return true
  if (
    !/^(may|march|mar\.?|jan\.?|dec\.?|sep\.?|oct\.?|nov\.?|apr\.?|jun\.?|jul\.?|feb\.?|aug\.?)$/i.test(words)
  )
    return false
  return bound === undefined && !/\b(in|during|of|for|last|this|and|or|to|throughout)\s*$/i.test(before)
}
