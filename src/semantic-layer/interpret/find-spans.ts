import { distance } from 'fastest-levenshtein'
import type { SemanticLayer, SemanticModel } from '../../domain/metrics/semantic-layer.ts'
import { foldText, splitName } from '../../lib/fold-text.ts'
import { isNumberAsName } from '../../lib/lexicon/numbered-nouns.ts'
import { regionForms } from '../../lib/lexicon/regions.ts'
import { relatedTo } from '../../lib/lexicon/synonyms.ts'
import { codeValues } from '../../lib/lexicon/value-forms.ts'
import { stemWord, toSingular } from '../../lib/stem-word.ts'
import type { Token } from '../../parser/tokenize.ts'
import { cuesByWord } from './cues.ts'
import { columnPenalty, isColumnOf, mergeSpellings, nameSpans } from './name-spans.ts'
import { lengthAt, movingAverageAt, numberSpans, percentileAt, rankedUnitAt } from './number-spans.ts'
import { isVerbLast, type SpanInput, spanText } from './span-input.ts'
import { isCue, type TermSpan } from './terms.ts'

/** Everything that words of a question may mean, by the token it starts at, best first. */
export const findSpans = (input: SpanInput): readonly (readonly TermSpan[])[] => {
  const { tokens } = input
  const periods = periodSpans(input)
  const inPeriod = (at: number): boolean => periods.some(({ at: [from, until] }) => from <= at && at < until)
  const certain = [
    ...periods,
    ...tokens.flatMap((_, at) => [
      ...cueSpans(input, at),
      ...nameSpans(input, at),
      ...(inPeriod(at) ? [] : numberSpans(input, at)),
    ]),
  ]
  const values = valueSpans(input, certain)
  const known = [...certain, ...values]
  const covered = new Set(
    known.filter(({ quality }) => quality >= 0.5).flatMap(({ at: [from, until] }) => range(from, until)),
  )
  const guessed = tokens.flatMap((token, at) => {
    if (!covered.has(at)) return guessSpans(input, at)
    return /^[A-Z]{2,3}$/.test(token.text) || valueWords.has(token.folded) ? codeSpans(input, at) : []
  })
  const startingAt: TermSpan[][] = tokens.map(() => [])
  for (const span of preferWholeNames([...known, ...guessed, ...lastingSpans(input, known)]))
    startingAt[span.at[0]]?.push(span)
  return startingAt.map(spans => mergeSpellings(spans).toSorted((a, b) => b.quality - a.quality))
}

/** "Take the longest to deliver": what takes long, where nothing is called so. A date that is ("to ship") tells which time is meant. */
const lastingSpans = (input: SpanInput, known: readonly TermSpan[]): readonly TermSpan[] =>
  known.flatMap(span => {
    const [from, until] = span.at
    const { term } = span
    const isLasting =
      isCue(term, 'superlative') && /^(?:long|short)est$/.test(term.cue.adjective.forms.superlative ?? '')
    const verb = input.tokens[until + 1]
    if (!isLasting || input.tokens[until]?.folded !== 'to' || verb?.kind !== 'word') return []
    const isNamed = known.some(({ at: [start], quality }) => start === until + 1 && quality >= 0.9)
    return isNamed ? [] : [{ ...span, at: [from, until + 2], text: spanText(input, from, until + 2) }]
  })

/** What is left of the quality of words inside the name of a metric. */
const PART_OF_NAME = 0.8

/**
 * "Average order value" is the metric that people defined by that name, before it is the mean of another, and "out of
 * stock" is no stock: words inside such a name mean less by themselves. Names like "revenue per customer" may as well be a
 * figure and a group.
 */
const preferWholeNames = (spans: readonly TermSpan[]): readonly TermSpan[] => {
  const names = spans.filter(isWholeName)
  return spans.map(span => {
    const [from, until] = span.at
    const isPart = names.some(
      ({ at: [start, end] }) => start <= from && until <= end && until - from < end - start,
    )
    return isPart ? { ...span, quality: span.quality * PART_OF_NAME } : span
  })
}

const isWholeName = ({ term, quality, text, at: [from, until] }: TermSpan): boolean => {
  if (quality < 0.9 || until - from < 2) return false
  if (term.kind === 'segment') return /^(?:out of|in|not|with|without) /i.test(text)
  return (
    term.kind === 'metric' &&
    term.metric.status === 'accepted' &&
    term.metric.label.toLowerCase() === text.toLowerCase() &&
    !/\b(?:per|by|of|for|on)\b/i.test(text)
  )
}

const range = (from: number, until: number): readonly number[] =>
  Array.from({ length: until - from }, (_, at) => from + at)

const periodSpans = (input: SpanInput): readonly TermSpan[] =>
  input.periods.flatMap(span => {
    const from = input.tokens.findIndex(token => token.at[1] > span.at[0])
    const after = input.tokens.findIndex(token => token.at[0] >= span.at[1])
    const until = after === -1 ? input.tokens.length : after
    if (from === -1 || until <= from) return []
    return [{ at: [from, until], term: { kind: 'period', span }, quality: 1, text: span.phrase } as const]
  })

/** Cues, the longest of each kind. */
const cueSpans = (input: SpanInput, at: number): readonly TermSpan[] => {
  const { tokens } = input
  const token = tokens[at]
  if (token === undefined || token.kind === 'quoted') return []
  const found = (cuesByWord.get(token.folded) ?? []).flatMap(({ words, cue }): readonly TermSpan[] => {
    const until = matchWords(tokens, at, words)
    if (until === null || isNumberAsName(tokens[at - 1]?.folded, words)) return []
    if (cue.kind === 'superlative' && isVerbLast(input, at)) return []
    // "Revenue per order by channel" sorts nothing.
    if (cue.kind === 'order' && /^(?:per|by|each|every)$/.test(tokens[at - 1]?.folded ?? '')) return []
    // "Has not been here for a year" makes no series.
    if (cue.kind === 'grain' && words[0] === 'a' && tokens[at - 1]?.folded === 'for') return []
    if (cue.kind === 'superlative' && tokens[until]?.folded === 'first')
      return [
        {
          at: [at, until + 1],
          term: { kind: 'cue', cue: { ...cue, isSort: true } },
          quality: 0.95,
          text: spanText(input, at, until + 1),
        },
      ]
    // What begins with "who" or "which" asks; it describes nothing yet.
    if (cue.kind === 'condition' && at === 0 && until < tokens.length && /^wh(?:o|ich)$/.test(words[0] ?? ''))
      return []
    return [
      {
        at: [at, until],
        term: { kind: 'cue', cue },
        // "Monthly active customers" are no "active customers" by month.
        quality: cue.kind === 'filler' ? 0.55 : cue.kind === 'active-in' ? 1 : 0.9,
        text: spanText(input, at, until),
      },
    ]
  })
  // "Overdue invoices: number, amount, due date".
  const listed: readonly TermSpan[] = /^(?::[^.?!]*,|[-–—] [^.?!]*(?:,| and )|[.?!]\s+\S)/.test(
    input.text.slice(token.at[0]),
  )
    ? [{ at: [at, at + 1], term: { kind: 'cue', cue: { kind: 'list' } }, quality: 0.9, text: ':' }]
    : []
  const lasting: readonly TermSpan[] = isVerbLast(input, at)
    ? [{ at: [at, at + 1], term: { kind: 'cue', cue: { kind: 'duration' } }, quality: 1, text: token.text }]
    : []
  // "Answered within four hours".
  const within: readonly TermSpan[] =
    token.folded === 'within' && lengthAt(input, at + 1) !== null
      ? [
          {
            at: [at, at + 1],
            term: { kind: 'cue', cue: { kind: 'operator', operator: '<=' } },
            quality: 1,
            text: token.text,
          },
        ]
      : []
  const percentile = percentileAt(input, at)
  const windowed = movingAverageAt(input, at)
  const ranked = rankedUnitAt(input, at)
  return [
    ...found,
    ...listed,
    ...lasting,
    ...within,
    ...(percentile ? [percentile] : []),
    ...(windowed ? [windowed] : []),
    ...(ranked ? [ranked] : []),
  ]
}

/** The words of a phrase from a token on; hyphens and slashes between them do not matter. */
const matchWords = (tokens: readonly Token[], at: number, words: readonly string[]): number | null => {
  const wanted = words.flatMap(word => word.split('-'))
  let next = at
  for (const [index, word] of wanted.entries()) {
    if (index > 0 && tokens[next]?.text === '-') next++
    const token = tokens[next]
    if (token === undefined || (token.folded.replaceAll('’', "'") !== word && token.text !== word))
      return null
    next++
  }
  return next
}

const LONGEST_VALUE = 6

/** Texts of the value index that words of the question spell out. */
const valueSpans = (input: SpanInput, certain: readonly TermSpan[]): readonly TermSpan[] => {
  const { tokens, layer, findValues } = input
  const places = placesOf(layer)
  const isWeak = (at: number): boolean =>
    tokens[at]?.kind === 'mark' ||
    certain.some(({ at: [from, until], term }) => term.kind === 'cue' && from === at && until === at + 1) ||
    certain.some(({ at: [from, until], term }) => term.kind === 'period' && from <= at && at < until)
  const spans: TermSpan[] = []
  for (let from = 0; from < tokens.length; from++) {
    for (let until = from + 1; until <= Math.min(tokens.length, from + LONGEST_VALUE); until++) {
      const isCapital = /^\p{Lu}/u.test(tokens[from]?.text ?? '') && from > 0
      if ((isWeak(from) && !isCapital) || isWeak(until - 1)) continue
      if (tokens[from]?.kind === 'number' && until === from + 1) continue
      const words = spanText(input, from, until)
      const keyword = tokens[from]?.kind === 'quoted' ? (tokens[from]?.text ?? words) : words
      for (const match of findValues(keyword, { limit: 12 })) {
        const place = places.get(`${match.table} ${match.column}`)
        if (place === undefined) continue
        const likeness = match.term === undefined ? likenessOf(keyword, match.value) : 1
        if (likeness === 0) continue
        const isTyped = typeof match.term === 'string' && place.dimension.type === 'number'
        const isName = place.model.nameDimensions.includes(place.dimension.name)
        // "Stores with their city": no store of the format "city".
        const isColumn = until === from + 1 && isColumnOf(input, from, place.model)
        spans.push({
          at: [from, until],
          term: { kind: 'value', ...place, value: isTyped ? Number(match.value) : match.value },
          quality:
            likeness *
            (isName || isCapital ? 0.98 : 0.96) *
            (place.dimension.isKey ? 0.8 : 1) *
            (isColumn && !isCapital ? columnPenalty(input, from) : 1),
          text: words,
        })
      }
    }
  }
  return spans
}

interface Place {
  readonly model: SemanticModel
  readonly dimension: SemanticModel['dimensions'][number]
}

const placesOf = ({ models }: SemanticLayer): ReadonlyMap<string, Place> =>
  new Map(
    models.flatMap(model =>
      model.dimensions.flatMap(dimension =>
        dimension.expression.kind === 'column'
          ? [[`${model.table.name} ${dimension.expression.column}`, { model, dimension }] as const]
          : [],
      ),
    ),
  )

/** How alike words and a value are: 1 for the same text, less for another form of it or a part. 0 if it is another text. */
const likenessOf = (words: string, value: string): number => {
  const [a, b] = [foldText(words).trim(), foldText(value).trim()]
  if (a === b) return 1
  const [left, right] = [wordsOf(a), wordsOf(b)]
  if (left.length === 0) return 0
  if (left.map(toSingular).join('') === right.map(toSingular).join('')) return 0.97
  if (left.map(stemWord).join('') === right.map(stemWord).join('')) return 0.6
  const isPart = ` ${right.join(' ')} `.includes(` ${left.join(' ')} `) && right.length <= left.length + 2
  const isNamed = /^\p{Lu}/u.test(words) && a.length > 3
  // "Late" is no "arrived too late", and features are no "missing features".
  if (!isNamed && left.length === 1 && right.length > 1 && /^\p{Ll}/u.test(value)) return 0
  return isPart ? (isNamed ? 0.72 : 0.35) : 0
}

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? []

const SHORTEST_MISSPELLED = 4

/** A word that means nothing as it stands: another word for a name, or a misspelled one. */
const guessSpans = (input: SpanInput, at: number): readonly TermSpan[] => {
  const { tokens, vocabulary, findValues, layer } = input
  const token = tokens[at]
  if (token === undefined || token.kind !== 'word') return []
  const coded = codeSpans(input, at)
  if (coded.length > 0) return coded
  const related = [...relatedTo(token.stem)].flatMap(stem =>
    (vocabulary.byFirst.get(stem) ?? [])
      .filter(({ stems, term }) => stems.length === 1 && term.kind !== 'value')
      .map(
        ({ term, quality }): TermSpan => ({
          at: [at, at + 1],
          term,
          quality: quality * 0.66,
          text: token.text,
        }),
      ),
  )
  if (related.length > 0 || token.folded.length < SHORTEST_MISSPELLED) return related
  if (token.folded.length < 5) return related
  const allowed = token.folded.length >= 8 ? 2 : 1
  const near = (word: string): boolean =>
    Math.abs(word.length - token.folded.length) <= allowed &&
    (distance(token.folded, word) <= allowed || isTransposed(token.folded, word))
  const corrected = [...vocabulary.words].filter(([, word]) => near(word) || near(`${word}s`))
  const names = corrected.flatMap(([stem, word]) =>
    (vocabulary.byFirst.get(stem) ?? [])
      .filter(({ stems }) => stems.length === 1)
      .map(
        ({ term, quality }): TermSpan => ({
          at: [at, at + 1],
          term,
          quality: quality * 0.8,
          text: token.text,
          corrected: word,
        }),
      ),
  )
  const cues = [...cuesByWord].flatMap(([word, phrases]): readonly TermSpan[] =>
    near(word) && word.length >= 6 && token.folded.length >= 6
      ? phrases
          .filter(({ words, cue }) => words.length === 1 && cue.kind !== 'filler')
          .map(({ cue }) => ({
            at: [at, at + 1],
            term: { kind: 'cue', cue },
            quality: 0.7,
            text: token.text,
            corrected: word,
          }))
      : [],
  )
  const places = placesOf(layer)
  const values: TermSpan[] = []
  for (let until = at + 1; until <= Math.min(tokens.length, at + 3); until++) {
    const words = spanText(input, at, until)
    for (const match of findValues(words, { limit: 6 })) {
      const place = places.get(`${match.table} ${match.column}`)
      const [a, b] = [foldText(words), foldText(match.value)]
      const isNear = distance(a, b) <= (a.length >= 8 ? 2 : 1) || isTransposed(a, b)
      // A small word is no misspelled name.
      const isName = place !== undefined && /^\p{Lu}/u.test(match.value)
      if (place && isNear && (!isName || /^\p{Lu}/u.test(token.text) || token.folded.length >= 7))
        values.push({
          at: [at, until],
          term: { kind: 'value', ...place, value: match.value },
          quality: distance(a, b) <= 1 || isTransposed(a, b) ? 0.86 : 0.72,
          text: words,
          corrected: match.value,
        })
    }
  }
  return [...names, ...cues, ...values]
}

/** Boys and girls, the UK: words for what a column has as a code or by another name. */
const codeSpans = ({ layer, tokens, text }: SpanInput, at: number): readonly TermSpan[] => {
  const token = tokens[at]
  const forms = token && [
    ...(codeValues.get(token.folded) ?? codeValues.get(toSingular(token.folded)) ?? []),
    ...(valueWords.get(token.folded) ?? []),
    ...(token.folded.length > 3 || /^[A-Z]{2,3}$/.test(token.text)
      ? regionForms(token.text).map(form => form.toLowerCase())
      : []),
  ]
  if (!forms || forms.length === 0) return []
  const spanOf = (place: Place, value: string | number | boolean, quality: number): TermSpan => ({
    at: [at, at + 1],
    term: { kind: 'value', ...place, value },
    quality,
    text: text.slice(token.at[0], token.at[1]),
  })
  const known = layer.models.flatMap(model =>
    model.dimensions.flatMap(dimension =>
      (dimension.values ?? [])
        .filter(value => typeof value === 'string' && forms.includes(value.toLowerCase()))
        .map(value => spanOf({ model, dimension }, value, 0.9)),
    ),
  )
  const isPlace = /^\p{Lu}\p{Ll}/u.test(token.text) && /^(?:from|in)$/.test(tokens[at - 1]?.folded ?? '')
  if (known.length > 0 || !isPlace || regionForms(token.text).length === 0) return known
  // A country that no row has: the answer is none.
  return layer.models.flatMap(model =>
    model.dimensions.flatMap(dimension => {
      const isCountry = splitName(dimension.name).includes('country') && dimension.type === 'categorical'
      const [example] = dimension.values ?? []
      if (!isCountry || typeof example !== 'string') return []
      const code = regionForms(token.text).find(form => form.length === example.length)
      return [spanOf({ model, dimension }, example.length <= 3 ? (code ?? token.text) : token.text, 0.85)]
    }),
  )
}

/** Verbs and nouns for what a status says. */
const valueWords: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    missed: 'no_show|no show|no-show|noshow|missed|absent',
    skipped: 'no_show|no show|no-show|skipped',
    lose: 'lost',
    lost: 'lost|closed lost',
    won: 'won|closed won',
    win: 'won|closed won',
    absence: 'absent',
    absences: 'absent',
    missing: 'absent|missing',
    rejected: 'rejected|declined|denied',
    declined: 'declined|rejected|denied',
    failed: 'failed|failure|error',
    broken: 'broken|damaged|defective',
    unread: 'unread|new',
    pending: 'pending|open|waiting',
    cancelled: 'canceled|cancelled',
    canceled: 'canceled|cancelled',
    cancel: 'canceled|cancelled',
    refunded: 'refunded',
    return: 'returned',
    fail: 'failed',
    finished: 'completed|finished|done',
    done: 'completed|done|finished',
  }).map(([word, values]) => [word, values.split('|')]),
)

/** Two letters that changed places, and nothing else. */
const isTransposed = (a: string, b: string): boolean => {
  if (a.length !== b.length) return false
  const different = [...a].flatMap((letter, at) => (letter === b[at] ? [] : [at]))
  const [first, second] = different
  return (
    different.length === 2 &&
    first !== undefined &&
    second === first + 1 &&
    a[first] === b[second] &&
    a[second] === b[first]
  )
}
