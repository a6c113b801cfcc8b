import { toInertText } from '../../../src/lib/inert-text.ts'
import { readNumbers, type ShownDate, type ShownFigure } from './figures.ts'
import {
  type HeadlineFacts,
  type HeadlineSource,
  headlineFacts,
  isBefore,
  wordBefore,
  wordsOf,
} from './headline-facts.ts'
import { keepsSense } from './headline-words.ts'

/** Most characters of a headline. */
const LONGEST = 200

/**
 * The headline that a model phrased, if everything in it follows from the result: each number, date, percentage and
 * name, which row a figure belongs to, and whether it rose, fell, led or came last. Null if anything does not; then the
 * composed headline stands. What cannot be told for sure is taken for wrong.
 */
export const checkHeadline = (phrased: string, source: HeadlineSource): string | null => {
  const text = phrased.trim()
  if (text === '' || text.length > LONGEST || /[\r\n]/.test(text) || !isInert(text)) return null
  const facts = headlineFacts(source)
  const mentions = findMentions(text, facts)
  const plain = blank(text, mentions)
  const shown = readNumbers(plain)
  if (shown.hasOthers || !shown.dates.every(date => facts.dates.some(fact => isWithin(date, fact))))
    return null
  const [leading] = inOrder(findMentions(source.composed, facts))
  const [first] = inOrder(mentions)
  // Who is named first is taken for who leads.
  if (leading && first && ![...first.rows].some(row => leading.rows.has(row))) return null
  const places = [...mentions, ...datedMentions(shown.dates, facts)]
  const allHold = shown.figures.every(figure => holds(figure, { text: plain, facts, places, source }))
  return allHold && hasKnownNames(plain, facts) && keepsSense(text, source, facts) ? text : null
}

/** Brackets around a share are the one mark that a headline has. */
const isInert = (text: string): boolean => {
  const unbracketed = text.replace(/ ?\(([^()[\]<>]*)\)/g, ' $1').replace(/\s+/g, ' ')
  return toInertText(unbracketed) === unbracketed.trim()
}

const LONGEST_CODE = 3

/** Where a headline names rows. */
interface Mention {
  readonly at: number
  readonly length: number
  readonly rows: ReadonlySet<number>
}

/** The names of rows in a text, the longest first: New York is not York. */
const findMentions = (text: string, { names }: HeadlineFacts): readonly Mention[] => {
  const rowsOf = Map.groupBy(
    names.filter(name => name.text !== ''),
    // Short codes are words too: IN is not in.
    name => (name.text.length > LONGEST_CODE ? name.text.toLowerCase() : name.text),
  )
  const found: Mention[] = []
  for (const [name, rows] of [...rowsOf].toSorted(([a], [b]) => b.length - a.length)) {
    const searched = name.length > LONGEST_CODE ? text.toLowerCase() : text
    for (let at = searched.indexOf(name); at !== -1; at = searched.indexOf(name, at + 1)) {
      const end = at + name.length
      const isWord = !/[\p{L}\p{N}]/u.test(`${text[at - 1] ?? ''}${text[end] ?? ''}`)
      const isFree = found.every(one => end <= one.at || at >= one.at + one.length)
      if (isWord && isFree) found.push({ at, length: name.length, rows: new Set(rows.map(({ row }) => row)) })
    }
  }
  return found
}

const datedMentions = (dates: readonly ShownDate[], { names }: HeadlineFacts): readonly Mention[] =>
  dates.flatMap(date => {
    const rows = names.filter(name => name.dates.some(fact => isWithin(date, fact))).map(({ row }) => row)
    return rows.length === 0 ? [] : [{ at: date.at, length: 0, rows: new Set(rows) }]
  })

/** What names rows is neither a figure nor an unknown name. */
const blank = (text: string, mentions: readonly Mention[]): string =>
  mentions.reduce(
    (left, { at, length }) => left.slice(0, at) + ' '.repeat(length) + left.slice(at + length),
    text,
  )

/** Whether a moment says nothing that another does not: October is within Oct 12, 2026. */
const isWithin = ({ at: _, ...date }: ShownDate, fact: ShownDate): boolean =>
  Object.entries(date).every(
    ([part, value]) =>
      fact[part as keyof ShownDate] === value ||
      (part === 'quarter' && fact.month !== undefined && Math.ceil(fact.month / 3) === value) ||
      (part === 'weekday' && weekdayOf(fact) === value),
  )

const weekdayOf = ({ year, month, day }: ShownDate): number | null =>
  year === undefined || month === undefined || day === undefined
    ? null
    : new Date(Date.UTC(year, month - 1, day)).getUTCDay() || 7

/** A change is up or down by the last such word before its figure. */
const directionWords =
  /\b(?:(grew|grown|growth|grow|rose|risen|rise|up|increased?|gained?|climbed)|(fell|fallen|fall|down|decreased?|dropped|drop|declined?|lost|shrank))\b/gi

const directionAt = (text: string, at = text.length): 'up' | 'down' | null => {
  const words = [...text.matchAll(directionWords)]
  const word = words.findLast(match => match.index < at) ?? words[0]
  return word === undefined ? null : word[1] === undefined ? 'down' : 'up'
}

/** What a figure is checked against. */
interface Checked {
  readonly text: string
  readonly facts: HeadlineFacts
  readonly places: readonly Mention[]
  readonly source: HeadlineSource
}

const inOrder = (places: readonly Mention[]): readonly Mention[] => places.toSorted((a, b) => a.at - b.at)

/** Whether a figure is said to be of what is named behind it: `€388k in May`. */
const isOwner = (figure: ShownFigure, { at }: Mention, text: string): boolean =>
  at > figure.at && /^\S*(?: \p{L}+){0,2} (?:in|from|for|at|on|by) $/u.test(text.slice(figure.at, at))

/** Whether a figure follows from the result, and stands beside the row that it belongs to. */
const holds = (figure: ShownFigure, checked: Checked): boolean => {
  const { text, facts, places } = checked
  const named = places.filter(({ at }) => at < figure.at).toSorted((a, b) => b.at - a.at)[0]
  const nearest = places.find(place => isOwner(figure, place, text)) ?? named ?? inOrder(places)[0]
  return facts.figures.some(fact => {
    if (!isShownAs(figure, fact) || !hasRightSign(figure, fact, checked)) return false
    if (!isOfItsColumn(figure, fact, checked)) return false
    if (fact.rows !== null) return nearest !== undefined && [...fact.rows].some(row => nearest.rows.has(row))
    return isOfAll(figure, fact, { ...checked, isNamed: named !== undefined })
  })
}

/** Whether the composed headline has a figure behind the same word. */
const isSaidAlike = (figure: ShownFigure, { text, source: { composed } }: Checked): boolean =>
  readNumbers(composed).figures.some(
    ({ value, unit, at }) =>
      value === figure.value &&
      unit === figure.unit &&
      wordBefore(composed, at) === wordBefore(text, figure.at),
  )

/**
 * Whether a figure stands nearest to the last word of its own column's label. Where two columns end alike, only what the
 * composed headline says counts.
 */
const isOfItsColumn = (
  figure: ShownFigure,
  { label }: HeadlineFacts['figures'][number],
  checked: Checked,
): boolean => {
  const { text, facts } = checked
  if (label === undefined || facts.labels.length < 2 || isSaidAlike(figure, checked)) return true
  if (new Set(facts.labels).size < facts.labels.length) return false
  const distances = facts.labels.map(word => {
    const found = [...text.matchAll(/[\p{L}\p{N}'’-]+/gu)].filter(match => wordsOf(match[0])[0] === word)
    return Math.min(...found.map(({ index }) => Math.abs(index - figure.at)))
  })
  const nearest = Math.min(...distances)
  return Number.isFinite(nearest) && facts.labels[distances.indexOf(nearest)] === label
}

/** Whether a figure of the whole stands where nobody takes it for one of a row. */
const isOfAll = (
  figure: ShownFigure,
  fact: HeadlineFacts['figures'][number],
  { isNamed, ...checked }: Checked & { readonly isNamed: boolean },
): boolean => {
  const { text, places, source } = checked
  const word = wordBefore(text, figure.at)
  if (source.table.rows.length > 1 && isNamed) {
    const isChange = figure.unit === '%' && fact.isComposed === true && directionAt(source.composed) !== null
    return isChange || isSaidAlike(figure, checked) || (fact.behind?.includes(word) ?? false)
  }
  if (fact.before !== undefined) return places.length === 0 && isBefore(text.slice(figure.at), fact.before)
  if (fact.behind === undefined || fact.behind.includes(word)) return true
  return fact.behind.includes('total') && places.length === 0
}

/** Whether a change is said to go its own way. A figure that is negative by itself has its sign. */
const hasRightSign = (
  figure: ShownFigure,
  fact: HeadlineFacts['figures'][number],
  { text, source }: Checked,
): boolean => {
  if (figure.isNegative) return fact.value < 0
  if (!fact.isChange) return fact.value >= 0
  const direction = directionAt(text, figure.at)
  if (fact.value >= 0) return direction !== 'down'
  return direction === 'down' && directionAt(source.composed) === 'down'
}

/** Whether a figure is another as it is shown: the same unit, and rightly rounded to two digits or more. */
const isShownAs = (shown: ShownFigure, fact: HeadlineFacts['figures'][number]): boolean => {
  const isUnit = shown.unit === fact.unit || (shown.unit === '' && fact.unit !== '%')
  const off = Math.abs(shown.value - Math.abs(fact.value))
  const isExact = off <= Math.abs(fact.value) * 1e-9
  if (!isUnit || shown.step < fact.step * 0.999) return false
  return isExact || (shown.digits > 1 && off <= (shown.step / 2) * (1 + 1e-9))
}

/** Words that begin a sentence and name nothing. */
const openingWords = new Set(
  `a an the in on of at for from with and by as to most more only all no none nothing yes there it its this that these
  between over since during after before until across among about around overall total together each every both than
  compared followed leading`.split(/\s+/),
)

/** Whether each quoted or capitalized name is one of the facts' texts. A moment has been checked before. */
const hasKnownNames = (text: string, { texts }: HeadlineFacts): boolean => {
  const known = texts.map(one => ` ${wordsOf(one).join(' ')} `)
  const isKnown = (words: readonly string[]): boolean =>
    words.length === 0 || known.some(one => one.includes(` ${words.join(' ')} `))
  const quotes = [
    ...text.matchAll(/["“”«»]([^"“”«»]*)["“”«»]|(?<![\p{L}\p{N}])['‘]([^'’]+)['’](?![\p{L}])/gu),
  ]
  if (!quotes.every(([, double, single]) => isKnown(wordsOf(double ?? single ?? '')))) return false
  const runs = withoutMoments(text).matchAll(
    /(?<![\p{L}\p{N}])[\p{L}\p{N}'’-]*\p{Lu}[\p{L}\p{N}'’-]*(?: [\p{L}\p{N}'’-]*\p{Lu}[\p{L}\p{N}'’-]*)*/gu,
  )
  return [...runs].every(run => {
    const words = wordsOf(run[0])
    if (isKnown(words)) return true
    const opens = /(?:^|[.!?:·]\s*)$/.test(text.slice(0, run.index))
    const [first = '', ...others] = words
    return opens && (openingWords.has(first) || isKnown([first])) && isKnown(others)
  })
}

/** Moments are capitalized too. */
const withoutMoments = (text: string): string =>
  text.replace(
    /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b|\bQ[1-4]\b|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|(?<=\d)[KMB]\b/g,
    match =>
      readNumbers(match).dates.length > 0 || /^[KMB]$/.test(match) ? ' '.repeat(match.length) : match,
  )
