import type { SemanticModel } from '../../domain/metrics/semantic-layer.ts'
import { foldText, splitName } from '../../lib/fold-text.ts'
import { stemWord, toSingular } from '../../lib/stem-word.ts'
import { isVerbLast, type SpanInput, spanText } from './span-input.ts'
import type { Term, TermSpan } from './terms.ts'

/** Names of the layer: metrics, models, dimensions, segments, known values. */
export const nameSpans = (input: SpanInput, at: number): readonly TermSpan[] => {
  const { tokens, vocabulary } = input
  const token = tokens[at]
  if (token === undefined || token.kind === 'mark' || isVerbLast(input, at)) return []
  const stem = token.kind === 'quoted' ? stemWord(token.folded) : token.stem
  return (vocabulary.byFirst.get(stem) ?? []).flatMap(
    ({ stems, words, term, quality, exact, isRival }): readonly TermSpan[] => {
      let next = at
      let likeness = 1
      for (const [index, wanted] of stems.entries()) {
        if (index > 0 && (tokens[next]?.text === '-' || tokens[next]?.text === '/')) next++
        if (tokens[next]?.stem !== wanted) return []
        if (exact !== null && tokens[next]?.folded !== exact[index]) return []
        // "Rate" and "rating" share a stem and little else.
        const folded = tokens[next]?.folded
        const isOtherWord =
          term.kind === 'value' && toSingular(folded ?? '') !== toSingular(words[index] ?? '')
        const isOtherForm = isGerund(words[index]) !== isGerund(folded)
        // What is "shipping" is not yet shipped.
        if (isOtherForm && isGerund(folded) && (term.kind === 'segment' || term.kind === 'value')) return []
        if (isOtherWord || isOtherForm) likeness = 0.6
        // "Per order" is no date of what was ordered.
        else if (isDate(term) && /ed$/.test(words[index] ?? '') && !/ed$/.test(folded ?? '')) likeness = 0.7
        // An advertiser is no advertisement.
        else if (term.kind === 'model' && isOtherNoun(words[index], folded)) likeness = 0.3
        // "Average orders" are how many, and "average order" is how much.
        const isMean = term.kind === 'metric' && words[0] === 'average' && index === words.length - 1
        if (isMean && /[^s]s$/.test(folded ?? '') && !/s$/.test(words[index] ?? '')) likeness = 0.8
        next++
      }
      // "Are still open", "are checked in" says how they are, and not what happened.
      if (
        isDate(term) &&
        (token.folded === 'open' ? isState(input, at) : isNow(input, at) && isAlsoValue(input, at, term))
      )
        return []
      // "Business customers": the word is what some of them are, and not another word for them.
      const isBeforeOwn =
        (term.kind === 'value' || term.kind === 'model') && namesModel(input, next, term.model)
      if (isBeforeOwn && term.kind === 'model' && isValueOf(input, stem, term.model)) likeness *= 0.6
      // "Stores with their city": no store of the format "city".
      if (term.kind === 'value' && !isBeforeOwn && isColumnOf(input, at, term.model))
        likeness *= columnPenalty(input, at)
      const own = isBeforeOwn && term.kind === 'value' ? Math.max(quality, 0.95) : quality
      const isCost = tokens.slice(at, next).some((_, index) => isCostVerb(input, at + index))
      const price = isCost ? priceBeside(input, term) : null
      if (isCost && price === null && isOfPriced(input, term)) return []
      // A longer phrase says more.
      return [
        {
          at: [at, next],
          term: price ?? term,
          quality: Math.min(1, own + (stems.length - 1) * 0.02) * likeness,
          text: spanText(input, at, next),
          ...(isRival ? { isRival } : {}),
        },
      ]
    },
  )
}

/** "That cost more than 200 euros", "how much does a tent cost": what is paid for it, and not what it cost us. */
const isCostVerb = ({ text, tokens }: SpanInput, at: number): boolean => {
  const token = tokens[at]
  if (token === undefined || !/^costs?$/.test(token.folded)) return false
  const [before, behind] = [text.slice(0, token.at[0]), text.slice(token.at[1])]
  if (/^ (?:us|of|per|for us)\b/i.test(behind)) return false
  return (
    /\b(?:that|which|they|it|who) $/i.test(before) ||
    /\b(?:how much|what) (?:do|does|did)\b/i.test(before) ||
    /^ (?:more|less|over|under|between|at least|at most|the most|the least|up to)\b/i.test(behind)
  )
}

/** The price of the same thing, where a term is its cost. */
const priceBeside = ({ layer }: SpanInput, term: Term): Term | null => {
  const cost =
    term.kind === 'dimension'
      ? { model: term.model.name, column: term.dimension.name }
      : term.kind === 'metric' && term.metric.kind === 'simple' && term.metric.expression?.kind === 'column'
        ? { model: term.metric.model, column: term.metric.expression.column }
        : null
  if (cost === null || !/cost/i.test(cost.column)) return null
  const model = layer.models.find(({ name }) => name === cost.model)
  const dimension = model?.dimensions.find(
    ({ name, type }) => type === 'number' && splitName(name).includes('price'),
  )
  return model && dimension ? { kind: 'dimension', model, dimension } : null
}

/** Whether a metric is of rows that each belong to something with a price: what goods cost us is not what is paid for them. */
const isOfPriced = ({ layer }: SpanInput, term: Term): boolean => {
  const name = term.kind === 'metric' && term.metric.kind === 'simple' ? term.metric.model : null
  const base = layer.models.find(model => model.name === name)
  return layer.models.some(
    model =>
      base?.joins.some(({ to }) => to === model.name) &&
      ['cost', 'price'].every(word =>
        model.dimensions.some(
          ({ name: column, type }) => type === 'number' && splitName(column).includes(word),
        ),
      ),
  )
}

const isDate = (term: Term): boolean =>
  term.kind === 'event' || (term.kind === 'dimension' && /^(?:date|timestamp)$/.test(term.dimension.type))

/** Whether the words for a date are also a value of its model: a status "checked in". "Checking in" is none. */
const isAlsoValue = ({ vocabulary, tokens }: SpanInput, at: number, term: Term): boolean =>
  'model' in term &&
  (vocabulary.byFirst.get(tokens[at]?.stem ?? '') ?? []).some(
    other =>
      other.term.kind === 'value' &&
      other.term.model.name === term.model.name &&
      other.words.every((word, index) => tokens[at + index]?.folded === word),
  )

/** "Are delivered" is a state; "were delivered last month" is what happened. */
const isNow = ({ tokens }: SpanInput, at: number): boolean =>
  /^(?:is|are|still|currently)$/.test(tokens[at - 1]?.folded ?? '')

/** "Are open", "the most open tickets", "have open tickets", and not "did we open" or "tickets open since May". */
const isState = (input: SpanInput, at: number): boolean => {
  const before = input.tokens[at - 1]?.folded ?? ''
  return (
    /^(?:is|are|was|were|still|currently|most|fewest|many|of)$/.test(before) ||
    (namesModel(input, at + 1) && !/^(?:we|to|they|you|i)$/.test(before))
  )
}

/** What is left of the quality of a value that is also the name of a column of the same rows: "stores with their city". */
export const columnPenalty = ({ tokens }: SpanInput, at: number): number =>
  /^(?:their|its|his|her)$/.test(tokens[at - 1]?.folded ?? '') ? 0.5 : 0.85

/** Whether a word is the name of a column of a model. */
export const isColumnOf = ({ vocabulary, tokens }: SpanInput, at: number, model: SemanticModel): boolean =>
  (vocabulary.byFirst.get(tokens[at]?.stem ?? '') ?? []).some(
    ({ term, stems, quality }) =>
      term.kind === 'dimension' &&
      term.dimension.type === 'categorical' &&
      stems.length === 1 &&
      quality > 0.9 &&
      term.model.name === model.name,
  )

/** Whether a word is one of the values of a model. */
const isValueOf = ({ vocabulary }: SpanInput, stem: string, model: SemanticModel): boolean =>
  (vocabulary.byFirst.get(stem) ?? []).some(
    ({ term, stems }) => term.kind === 'value' && stems.length === 1 && term.model.name === model.name,
  )

/** Whether a word is a name of a model: of this one, if one is given. */
const namesModel = ({ tokens, vocabulary }: SpanInput, at: number, model?: SemanticModel): boolean =>
  (vocabulary.byFirst.get(tokens[at]?.stem ?? '') ?? []).some(
    ({ term }) => term.kind === 'model' && (model === undefined || term.model.name === model.name),
  )

/** Somebody who does something, and what is done. */
const isOtherNoun = (word = '', said = ''): boolean =>
  /(?:er|or)s?$/.test(word) !== /(?:er|or)s?$/.test(said) && toSingular(word) !== toSingular(said)

const isGerund = (word: string | undefined): boolean => /[^aeiou]ings?$/.test(word ?? '')

/** `Germany`, `GERMANY` and `Germany ` of one column are one value, which somebody typed in three ways. */
export const mergeSpellings = (spans: readonly TermSpan[]): readonly TermSpan[] => {
  const merged = new Map<string, TermSpan>()
  for (const [index, span] of spans.entries()) {
    const { term, at } = span
    if (term.kind !== 'value' || typeof term.value !== 'string') {
      merged.set(String(index), span)
      continue
    }
    const key = JSON.stringify([at, term.model.name, term.dimension.name, foldText(term.value).trim()])
    const known = merged.get(key)
    if (known?.term.kind !== 'value') {
      merged.set(key, span)
      continue
    }
    const spellings = [...new Set([...(known.term.spellings ?? [String(known.term.value)]), term.value])]
    const best = spellings.toSorted((a, b) => untidiness(a) - untidiness(b))
    const quality = Math.max(known.quality, span.quality)
    if (best.length === 1) merged.set(key, { ...known, quality })
    else
      merged.set(key, { ...known, quality, term: { ...known.term, value: best[0] ?? '', spellings: best } })
  }
  return [...merged.values()]
}

/** Spaces around a value, and letters that are all small or all capitals, look mistyped. */
const untidiness = (value: string): number =>
  (value === value.trim() ? 0 : 2) + (value === value.toUpperCase() || value === value.toLowerCase() ? 1 : 0)
