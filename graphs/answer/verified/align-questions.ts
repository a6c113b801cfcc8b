import type { VerifiedSlot } from '../../../src/domain/verified-query.ts'
import { areRelated } from '../../../src/lib/lexicon/synonyms.ts'
import { stemWord } from '../../../src/lib/stem-word.ts'
import { type QuestionLiteral, type QuestionToken, questionTokens } from './question-literals.ts'

/** Which piece of the new question stands where the verified one has a slot, and how far the rest differs. */
interface Alignment {
  /** For each slot of the verified question, in its order. */
  readonly pieces: readonly QuestionLiteral[]
  /** 0 for the same words; each difference adds to it. */
  readonly cost: number
}

/** A word that may be there or not, or is another one of its kind. */
const NEUTRAL = 0.1

/** The same word in another form. */
const FORM = 0.05

/** Another word for the same thing, in general English. */
const RELATED = 0.4

/** Questions longer than this are not compared: nobody verifies a letter. */
const MOST_TOKENS = 80

/**
 * Lays a new question beside a verified one, word by word in the same order: slots on pieces of their kind, every other
 * word on the same word. Only words that decide nothing may be missing or too many. Null when that cannot be done: a
 * question that says anything else asks for something else. Of several ways the cheapest, and then the longer pieces.
 */
export const alignQuestions = (
  verified: { readonly question: string; readonly slots: readonly VerifiedSlot[] },
  asked: { readonly text: string; readonly spoken: readonly QuestionLiteral[] },
): Alignment | null => {
  const old = withoutOpening(partsOf(verified))
  const tokens = questionTokens(asked.text)
  const opening = tokens.findIndex(({ folded }) => !isOpening(folded))
  const from = opening < 0 ? 0 : Math.min(opening, ...asked.spoken.map(({ first }) => first))
  if (old.length > MOST_TOKENS || tokens.length > MOST_TOKENS) return null
  // Row by row over the verified question; a column is how many tokens of the new one are used up.
  let row: (Alignment | undefined)[] = []
  row[from] = { pieces: [], cost: 0 }
  insertNeutral(row, tokens)
  for (const part of old) {
    const next: (Alignment | undefined)[] = []
    for (let at = from; at <= tokens.length; at++) {
      const here = row[at]
      if (!here) continue
      if (part.slot === null) {
        if (isNeutral(part.word)) addIfBetter(next, at, { ...here, cost: here.cost + NEUTRAL })
        const token = tokens[at]
        const cost = token ? wordCost(part.word, token.folded) : null
        if (cost !== null) addIfBetter(next, at + 1, { ...here, cost: here.cost + cost })
      } else {
        for (const piece of asked.spoken)
          if (piece.first === at && fits(part.slot, piece))
            addIfBetter(next, piece.end, { pieces: [...here.pieces, piece], cost: here.cost })
      }
    }
    // Most verified questions part ways at their first words.
    if (next.length === 0) return null
    insertNeutral(next, tokens)
    row = next
  }
  return row[tokens.length] ?? null
}

type Part = { readonly slot: VerifiedSlot } | { readonly slot: null; readonly word: string }

/** The verified question as words and slots. */
const partsOf = ({
  question,
  slots,
}: {
  readonly question: string
  readonly slots: readonly VerifiedSlot[]
}): readonly Part[] => {
  const parts: Part[] = []
  for (const token of questionTokens(question)) {
    const slot = slots.find(({ at: [start, end] }) => token.start < end && token.end > start)
    if (slot === undefined) parts.push({ slot: null, word: token.folded })
    else if (parts.at(-1)?.slot !== slot) parts.push({ slot })
  }
  return parts
}

const withoutOpening = (parts: readonly Part[]): readonly Part[] => {
  const first = parts.findIndex(part => part.slot !== null || !isOpening(part.word))
  return first < 0 ? parts : parts.slice(first)
}

const wordCost = (a: string, b: string): number | null => {
  if (a === b) return 0
  if (isNeutral(a) && isNeutral(b)) return NEUTRAL
  if (/\p{N}/u.test(a) || /\p{N}/u.test(b)) return null
  const [x, y] = [stemWord(a), stemWord(b)]
  if (x === y) return FORM
  return areRelated(x, y) ? RELATED : null
}

/** A piece may stand in a slot of its kind; a value in one of the same column. */
const fits = (slot: VerifiedSlot, piece: QuestionLiteral): boolean => {
  if (slot.kind === 'value')
    return piece.kind === 'value' && piece.table === slot.table && piece.column === slot.column
  if (slot.kind === 'number') return piece.kind === 'number'
  return (
    piece.kind === 'period' &&
    (piece.from === null) === (slot.from === null) &&
    (piece.until === null) === (slot.until === null)
  )
}

/** Words of the new question that decide nothing may be passed over. */
const insertNeutral = (row: (Alignment | undefined)[], tokens: readonly QuestionToken[]): void => {
  for (const [at, { folded }] of tokens.entries()) {
    const here = row[at]
    if (here && isNeutral(folded)) addIfBetter(row, at + 1, { ...here, cost: here.cost + NEUTRAL })
  }
}

const addIfBetter = (row: (Alignment | undefined)[], at: number, way: Alignment): void => {
  const other = row[at]
  if (
    !other ||
    way.cost < other.cost ||
    (way.cost === other.cost && coveredTokens(way) > coveredTokens(other))
  )
    row[at] = way
}

const coveredTokens = ({ pieces }: Alignment): number =>
  pieces.reduce(
    (sum, piece) => sum + (piece.end - piece.first) + (piece.kind === 'value' ? piece.score : 0),
    0,
  )

/**
 * Words that a question may have or not without asking something else. Short on purpose: `by`, `with`, `from`, `and`,
 * `per`, `not` and their like decide what is asked.
 */
const isNeutral = (word: string): boolean => neutral.has(word)

const neutral: ReadonlySet<string> = new Set(
  `a an the of in on at for is are was were be been do does did has have had there that which who what s please me us
   our`.split(/\s+/),
)

/** Words with which people begin to ask, and which say nothing there: `please show me`, `can you list`. */
const isOpening = (word: string): boolean => neutral.has(word) || openings.has(word)

const openings: ReadonlySet<string> = new Set(
  'can could would you show give list tell find display get see i want need know to'.split(/\s+/),
)
