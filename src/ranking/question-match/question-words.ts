import { foldText } from '../../lib/fold-text.ts'
import { parseNumber } from '../../lib/parse-number.ts'
import { stemWord } from '../../lib/stem-word.ts'
import { type Cue, questionCues } from './question-cues.ts'

/** A word of a question. */
export interface QuestionWord {
  readonly text: string
  readonly folded: string
  readonly stem: string
  /** Place of its first character, in UTF-16 units. */
  readonly start: number
  /** False for words that say nothing about which rows or columns are meant. */
  readonly content: boolean
  /** Written with a capital inside a sentence, or in quotation marks: likely a value. */
  readonly named: boolean
}

/** A question taken apart for comparison with a statement. */
export interface QuestionWords {
  readonly folded: string
  readonly words: readonly QuestionWord[]
  /** Numbers in digits or words, in order. */
  readonly numbers: readonly number[]
  /** Texts between quotation marks, as written. */
  readonly quotes: readonly string[]
  readonly cues: ReadonlySet<Cue>
  /** How many words come before the first one that begins a condition: they say what is to be shown. */
  readonly head: number
}

let last: { readonly question: string; readonly words: QuestionWords } | null = null

/** Takes a question apart. The candidates of one question come in turn, so the last result is kept. */
export const readQuestionWords = (question: string): QuestionWords => {
  if (last?.question !== question) last = { question, words: takeApart(question) }
  return last.words
}

const takeApart = (question: string): QuestionWords => {
  const folded = foldText(question)
  const quotes = [
    ...question.matchAll(/["“”«»]([^"“”«»]+)["“”«»]|(?<!\p{L})['‘]([^'’]+)['’](?!\p{L})/gu),
  ].map(match => (match[1] ?? match[2] ?? '').trim())
  const quotedWords = new Set(quotes.flatMap(quote => foldText(quote).match(wordPattern) ?? []))
  const words = [...question.matchAll(wordPattern)].map((match): QuestionWord => {
    const word = foldText(match[0])
    const before = question.slice(0, match.index).trimEnd()
    const sentenceStart = before === '' || /[.?!:]$/.test(before)
    const capital = /^\p{Lu}/u.test(match[0]) && !sentenceStart && match[0].length > 1
    return {
      text: match[0],
      folded: word,
      stem: stemWord(word),
      start: match.index,
      content: !emptyWords.has(word),
      named: capital || quotedWords.has(word),
    }
  })
  return {
    folded,
    words,
    numbers: numbersOf(words),
    quotes,
    cues: questionCues(folded),
    head: headLength(words),
  }
}

const wordPattern = /[\p{L}\p{M}\p{N}]+(?:[.,]\d+)*(?:['’]\p{L}+)?/gu

/** "A" and "one" are articles far more often than numbers; in digits nothing is in doubt. */
const numbersOf = (words: readonly QuestionWord[]): readonly number[] =>
  words.flatMap(({ folded }) => {
    if (folded === 'one' || folded === 'first' || folded === 'second' || /^(?:k|m|bn)$/.test(folded))
      return []
    const number = parseNumber(folded)
    return number === null ? [] : [number]
  })

const headLength = (words: readonly QuestionWord[]): number => {
  // The first two words ask ("which", "who is"); after them these words and participles begin a condition.
  const at = words.findIndex(
    ({ folded }, index) => index >= 2 && (conditionWords.has(folded) || /[a-z]{3}ed$/.test(folded)),
  )
  return at < 0 ? words.length : at
}

const conditionWords: ReadonlySet<string> = new Set(
  'built born made held given written sold bought won kept sent spent taken whose where who that which with having when whom if without in from for sorted ordered order ascending descending'.split(
    ' ',
  ),
)

/** Words that carry no content by themselves. */
const emptyWords: ReadonlySet<string> = new Set(
  `a an the this that these those there here it its they them their theirs he him his she her hers we us our you your i
  me my mine who whom whose which what where when why how is are was were be been being am do does did done doing has have
  had having can could will would shall should may might must of in on at by for from to with into onto as about among
  across within through and or also so then than if such some any please just find show list give tell return display get
  want know provide present report count calculate compute many much more less most least number all each every per both
  either not no nor never without none but except only least over under above below between after before during order
  ordered sorted sort ascending descending different distinct unique one ones total average mean maximum minimum highest
  lowest largest smallest greatest top first last s t re ve ll d m same other others information details detail
  respectively corresponding together along`
    .split(/\s+/)
    .filter(Boolean),
)

/** How many columns a question lists to be shown. "For each" may or may not ask for the key of its groups. */
export interface RequestedColumns {
  readonly least: number
  readonly most: number
}

/**
 * Counts what a question lists before its condition: `name, country and age` are three. A last sentence that asks for
 * a list (`List their names and ages.`) stands for the whole question, unless it says that it asks for more.
 */
export const countRequestedColumns = ({ folded, words, head }: QuestionWords): RequestedColumns => {
  const listing =
    /[.?!;]\s+(?:please )?(?:list|show|give|return|tell|display|report)\b([^.?!;]*)[.?!;\s]*$/.exec(
      folded,
    )?.[1]
  const first = folded.slice(0, words[head]?.start ?? folded.length)
  const own = listing === undefined || /\balso\b/.test(listing) ? countItems(first) : 0
  const least = own + (listing === undefined ? 0 : countItems(listing))
  const each = /\b(?:each|every|per)\b|\bfor (?:all|different)\b/.test(folded) ? 1 : 0
  return { least, most: least + each }
}

const countItems = (text: string): number => {
  const listed = text
    // `For each country, show ...` and `On average, ...` list nothing before their comma.
    .replace(/^\s*(?:for|in|on|among|of)\b[^,]*,/, ' ')
    .replace(/[\s,]+$/, '')
    // What stands behind the thing that is shown is part of its condition: `the pets shared by ...`.
    .replace(/\b(?:between .* and|both .* and)\b/g, ' ')
  return (
    1 +
    (listed.match(/,(?!\s*(?:and|or|but)\b)|\band\b|\bas well as\b|\balong with\b|\btogether with\b/g) ?? [])
      .length
  )
}
