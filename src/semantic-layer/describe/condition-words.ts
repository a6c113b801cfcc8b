import pluralize from 'pluralize'
import type { AnswerCondition } from '../../domain/metrics/answer-meaning.ts'
import type { Dimension } from '../../domain/metrics/semantic-layer.ts'
import { foldText } from '../../lib/fold-text.ts'
import { formatFigure, formatPeriod } from '../../lib/format-figure.ts'
import type { IndexedModel } from '../compile/layer-index.ts'

/** A dimension that something is compared with. */
export interface ComparedDimension {
  readonly model: IndexedModel
  readonly dimension: Dimension
}

type Value = string | number | boolean

/** A heading within a sentence: `Billing country` becomes `billing country`, `SKU` stays. */
export const inSentence = (label: string): string =>
  /^\p{Lu}(?:\p{Lu}|$)/u.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)

/** The plural of a noun phrase in a sentence. */
export const pluralOf = (words: string): string => pluralize.plural(words)

const places = /\b(?:country|city|town|region|state|province|county|continent|district|nation)\b/i

/** Rows with some values of a dimension, or without them: `Germany or France`, `not canceled`, `active`. */
export const valueWords = (
  { dimension }: ComparedDimension,
  values: readonly Value[],
  negated: boolean,
): AnswerCondition => {
  const label = inSentence(dimension.label)
  const [first] = values
  if (dimension.type === 'boolean' && values.length === 1) {
    const isTrue = /^(?:true|1|y|yes|t)$/i.test(String(first)) !== negated
    return { words: isTrue ? label : `not ${label}`, kind: isTrue ? 'adjective' : 'value' }
  }
  // Spellings of one value are said once.
  const folded = values.map(value => foldText(String(value)).trim())
  const texts = values
    .filter((_, at) => folded.indexOf(folded[at] ?? '') === at)
    .map(value => valueText(value, dimension).trim())
  const list = `${negated ? 'not ' : ''}${joinOr(texts)}`
  // A number or a letter alone says nothing.
  if (texts.some(text => !/\p{L}{2}/u.test(text)))
    return { words: `${label} ${negated ? 'not ' : ''}${joinOr(texts)}`, kind: 'value' }
  if (negated) return { words: list, kind: 'value' }
  const isState = /\bstatus$/.test(label) && /^\p{Ll}+$/u.test(list)
  return { words: list, kind: places.test(label) ? 'place' : isState ? 'adjective' : 'value' }
}

const joinOr = (texts: readonly string[]): string =>
  texts.length < 3 ? texts.join(' or ') : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`

/** A value as its dimension means it: money in its currency, a day as `Nov 20, 2026`. */
export const valueText = (value: Value, { unit, type }: Pick<Dimension, 'unit' | 'type'>): string => {
  if (type === 'date' || type === 'timestamp') return formatPeriod(String(value), 'day') ?? String(value)
  // Nobody says €20.00 for a threshold.
  if (typeof value === 'number' && unit !== null) return formatFigure(value, unit).replace(/\.00$/, '')
  return String(value)
}

const operatorWords = {
  '<': 'under',
  '<=': 'up to',
  '>': 'over',
  '>=': 'at least',
  '=': '',
  '<>': 'not',
} as const

const momentWords = {
  '<': 'before',
  '<=': 'until',
  '>': 'after',
  '>=': 'since',
  '=': 'on',
  '<>': 'not on',
} as const

/** `price over €20`, `hired before Jan 1, 2020`. */
export const comparisonWords = (
  { dimension }: ComparedDimension,
  operator: keyof typeof operatorWords,
  value: Value,
): AnswerCondition => {
  if (operator === '=' || operator === '<>')
    return valueWords({ dimension } as ComparedDimension, [value], operator === '<>')
  const isMoment = dimension.type === 'date' || dimension.type === 'timestamp'
  const word = (isMoment ? momentWords : operatorWords)[operator]
  const label = inSentence(dimension.label)
  const kind = isMoment && isParticiple(label) ? 'clause' : 'measure'
  return { words: `${label} ${word} ${valueText(value, dimension)}`, kind }
}

/** `name with “wall”`. */
export const matchWords = (
  { dimension }: ComparedDimension,
  text: string,
  { place, negated }: { readonly place: 'anywhere' | 'start' | 'end'; readonly negated: boolean },
): AnswerCondition => {
  const label = inSentence(dimension.label)
  const verb = {
    anywhere: negated ? 'without' : 'with',
    start: negated ? 'not starting with' : 'starting with',
    end: negated ? 'not ending in' : 'ending in',
  }[place]
  return { words: `${label} ${verb} “${text}”`, kind: 'measure' }
}

/** `without a phone number`. */
export const missingWords = ({ dimension }: ComparedDimension, negated: boolean): AnswerCondition => {
  const label = inSentence(dimension.label)
  if (isParticiple(label)) return { words: negated ? label : `not ${label}`, kind: 'adjective' }
  return { words: `${negated ? 'with' : 'without'} ${article(label)} ${label}`, kind: 'clause' }
}

/** Rows that have partners of another model, or have none: `without orders`, `with open tickets (opened in May)`. */
export const relatedWords = (
  { model }: Pick<IndexedModel, 'model'>,
  within: readonly AnswerCondition[],
  negated: boolean,
): AnswerCondition => {
  const isAdjective = ({ words, kind }: AnswerCondition): boolean =>
    kind === 'adjective' && /^\p{Ll}+$/u.test(words)
  const others = within.filter(one => !isAdjective(one)).map(({ words }) => words)
  const described = [...within.filter(isAdjective).map(({ words }) => words), model.plural].join(' ')
  const inner = others.length === 0 ? '' : ` (${others.join(', ')})`
  return { words: `${negated ? 'without' : 'with'} ${described}${inner}`, kind: 'clause' }
}

/** Words that say what happened to a row: hired, placed, sent. */
export const isParticiple = (words: string): boolean =>
  /(?:ed|sent|paid|born|sold|built|made|hired|begun|bought|left|lost|won)$/.test(words)

const article = (words: string): string => (/^[aeiou]/i.test(words) ? 'an' : 'a')
