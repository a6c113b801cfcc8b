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
