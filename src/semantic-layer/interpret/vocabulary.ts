import type { Metric, SemanticLayer, SemanticModel } from '../../domain/metrics/semantic-layer.ts'
import { foldText, splitName } from '../../lib/fold-text.ts'
import { stemWord, toSingular } from '../../lib/stem-word.ts'
import { amountWords, eventWords, modelWords } from './business-words.ts'
import { cuesByWord } from './cues.ts'
import type { Term } from './terms.ts'

/** A phrase that means something in a layer. */
export interface Entry {
  readonly stems: readonly string[]
  readonly words: readonly string[]
  readonly term: Term
  /** How surely the phrase means it, from 0 to 1. */
  readonly quality: number
  /** The words as they must stand in the question, for verbs that other words share a stem with; null for any form. */
  readonly exact: readonly string[] | null
  /** The phrase is the very name of another metric, which the layer defines. */
  readonly isRival: boolean
}

/** The phrases of a layer, by their first stem. */
export interface Vocabulary {
  readonly byFirst: ReadonlyMap<string, readonly Entry[]>
  /** Words of names, to correct misspelled ones by. */
  readonly words: ReadonlyMap<string, string>
}

/** Words at the end of a name that people leave out, or that say only what kind of column it is. */
const genericEndings = new Set(
  [
    'name',
    'code',
    'type',
    'label',
    'title',
    'date',
    'number',
    'at',
    'on',
    'no',
    'amount',
    'value',
    'count',
    'level',
    'flag',
    'id',
    'status',
    'rate',
    'percent',
  ].map(stemWord),
)

/** Whether a word alone already says something about any question: "in", "single". */
const isCueWord = (word: string): boolean =>
  cuesByWord.get(word)?.some(({ words, cue }) => words.length === 1 && quietCues.has(cue.kind)) === true

const quietCues: ReadonlySet<string> = new Set(['filler', 'in', 'of', 'be', 'by', 'and', 'or', 'not'])

/** Gathers what people may call the things of a layer. */
export const makeVocabulary = (layer: SemanticLayer): Vocabulary => {
  const entries = new Map<string, Entry>()
  const spelled = new Map<string, string>()
  const add = (phrase: string, term: Term, quality: number): void => {
    const words = foldText(phrase).match(/[\p{L}\p{N}]+/gu) ?? []
    if (words.length === 0) return
    const stems = words.map(stemWord)
    const exact = term.kind === 'event' ? words : null
    const key = `${(exact ?? stems).join(' ')}|${JSON.stringify(keyOf(term))}`
    const known = entries.get(key)
    if (known && known.quality >= quality) return
    entries.set(key, { stems, words, term, quality, exact, isRival: false })
    for (const word of words) if (word.length > 3) spelled.set(stemWord(word), word)
  }
  const addName = (phrases: readonly string[], term: Term, quality: number): void => {
    for (const phrase of phrases) {
      add(phrase, term, quality)
      const words = foldText(phrase).match(/[\p{L}\p{N}]+/gu) ?? []
      if (words.length > 1 && genericEndings.has(stemWord(words.at(-1) ?? '')))
        add(words.slice(0, -1).join(' '), term, quality * 0.85)
      // "Capacity" of "capacity in pallets", and not the staff of "staff salary".
      if (words.length === 2 && term.kind === 'metric' && !isOwner(term.metric, words[0] ?? ''))
        add(words[0] ?? '', term, quality * 0.62)
      // "Check in" is not called "in".
      if (words.length > 1 && !isCueWord(words.at(-1) ?? ''))
        add(
          words.at(-1) ?? '',
          term,
          quality * (genericEndings.has(stemWord(words.at(-1) ?? '')) ? 0.45 : 0.72),
        )
    }
  }
  for (const model of layer.models) if (!isCalendarModel(model)) addModel(model, layer, add, addName)
  addModelWords(layer, add)
  for (const metric of layer.metrics) {
    // The count of a model is said by the model's own name.
    const isPlainCount =
      metric.kind === 'simple' &&
      metric.aggregation === 'count' &&
      metric.expression === null &&
      metric.status === 'proposed'
    if (isPlainCount) continue
    const names = [metric.label, metric.name.replaceAll('_', ' ')]
    const term = { kind: 'metric', metric } as const
    const initials = initialsOf(metric.label)
    if (initials) add(initials, term, 0.9)
    // "Spend on marketing", "value of the stock".
    for (const phrase of [metric.label, ...metric.synonyms]) {
      const [what, figure, ...more] = phrase.toLowerCase().split(' ')
      // "Trials converted" are "converted trials".
      if (what && figure && more.length === 0 && /[^e]ed$/.test(what)) add(`${figure} ${what}`, term, 0.95)
      if (what && figure && more.length === 0)
        for (const link of ['on', 'of', 'for', 'of the']) add(`${figure} ${link} ${what}`, term, 0.95)
    }
    // The last word of "return on ad spend" is another metric.
    if (metric.kind === 'simple' && metric.status === 'proposed') addName(names, term, 1)
    else for (const name of names) add(name, term, 1)
    // The first metric with a synonym is the one that is meant.
    for (const synonym of metric.synonyms) {
      const rank = layer.metrics.filter(one => one.synonyms.includes(synonym)).indexOf(metric)
      add(synonym, term, 0.98 - rank * 0.05)
    }
    // "Revenue per square meter".
    for (const word of unitWords(metric, layer)) add(word, term, 0.8)
    const own = new Set([...splitName(metric.name), ...splitName(metric.label)].map(stemWord))
    const isSum = metric.kind === 'simple' && (metric.aggregation === 'sum' || metric.aggregation === 'avg')
    for (const { words, metrics } of isSum ? amountWords : []) {
      const at = metrics
        .split(' ')
        .findIndex(word => own.has(stemWord(word)) || metric.synonyms.includes(word))
      if (at === -1) continue
      for (const word of words.split('|')) add(word, term, 0.86 - at * 0.06)
    }
  }
  for (const segment of layer.segments) {
    const term = { kind: 'segment', segment, negated: false } as const
    add(segment.label, term, 1)
    for (const synonym of segment.synonyms) {
      add(synonym, term, 0.95)
      // "Orders that had a discount" are those "with a discount".
      if (synonym.startsWith('with '))
        for (const verb of ['had', 'have', 'has', 'got']) add(synonym.replace('with', verb), term, 0.95)
      // Loyalty members are "in the loyalty program".
      if (/^\S+ members?$/i.test(synonym))
        for (const club of ['program', 'programme', 'scheme', 'membership'])
          add(synonym.replace(/members?$/i, club), term, 0.95)
    }
  }
  // "Marketing spend" is the money rather than the table that is called so.
  const phrasesOf = (wanted: (term: Term) => boolean): ReadonlySet<string> =>
    new Set(
      [...entries.values()].flatMap(({ term, stems, quality }) =>
        quality > 0.9 && wanted(term) ? [stems.join(' ')] : [],
      ),
    )
  const figures = phrasesOf(term => term.kind === 'metric' && !isCount(term.metric))
  const models = phrasesOf(term => term.kind === 'model')
  const owners = ownersOfNames(layer)
  const byFirst = new Map<string, Entry[]>()
  for (const found of entries.values()) {
    const phrase = found.stems.join(' ')
    // A number of guests that is called "guests" must not hide the guests.
    const isHidden =
      (found.term.kind === 'model' && figures.has(phrase)) ||
      (found.term.kind === 'metric' && isCount(found.term.metric) && models.has(phrase))
    const owner = found.term.kind === 'metric' ? (owners.get(phrase) ?? found.term.metric.name) : null
    const entry = {
      ...found,
      quality: isHidden ? found.quality * 0.9 : found.quality,
      isRival: found.term.kind === 'metric' && owner !== found.term.metric.name,
    }
    const first = entry.stems[0] ?? ''
    byFirst.set(first, [...(byFirst.get(first) ?? []), entry])
  }
  return { byFirst, words: spelled }
}

const isOwner = (metric: Metric, word: string): boolean =>
  metric.kind === 'simple' && metric.model.split('_').some(part => stemWord(part) === stemWord(word))

/** The metrics that people have defined, by the stems of their names. */
const ownersOfNames = ({ metrics }: SemanticLayer): ReadonlyMap<string, string> =>
  new Map(
    metrics
      .filter(({ status }) => status !== 'proposed')
      .flatMap(({ name, label }) =>
        [name.replaceAll('_', ' '), label].map(
          phrase =>
            [(foldText(phrase).match(/[\p{L}\p{N}]+/gu) ?? []).map(stemWord).join(' '), name] as const,
        ),
      ),
  )

/** What people say for a unit that a total of one metric alone has. */
const unitWords = (metric: Metric, { metrics }: SemanticLayer): readonly string[] => {
  const suffixOf = (one: Metric): string | null =>
    one.kind === 'simple' && one.aggregation === 'sum' && one.unit?.kind === 'other' ? one.unit.suffix : null
  const suffix = suffixOf(metric)
  return suffix === null || metrics.filter(one => suffixOf(one) === suffix).length > 1
    ? []
    : (wordsOfUnits.get(suffix) ?? [])
}

const wordsOfUnits: ReadonlyMap<string, readonly string[]> = new Map([
  ['m²', ['square meter', 'square metre', 'sqm', 'sq m', 'm2']],
  ['kg', ['kilo', 'kilogram']],
  ['g', ['gram']],
  ['t', ['ton', 'tonne']],
  ['km', ['kilometer', 'kilometre']],
  ['l', ['liter', 'litre']],
  ['kWh', ['kilowatt hour', 'kwh']],
])

const keyOf = (term: Term): unknown => {
  switch (term.kind) {
    case 'metric':
      return ['metric', term.metric.name]
    case 'model':
      return ['model', term.model.name]
    case 'dimension':
    case 'event':
      return [term.kind, term.model.name, term.dimension.name]
    case 'value':
      return ['value', term.model.name, term.dimension.name, term.value]
    case 'segment':
      return ['segment', term.segment.name, term.negated]
    case 'role':
      return ['role', term.model.name, term.join.name]
    default:
      return term
  }
}

const isCount = (metric: Metric): boolean =>
  metric.kind === 'simple' && (metric.aggregation === 'count' || metric.aggregation === 'count_distinct')

/** "CTR" of "Click-through rate"; null for labels of fewer than three words. */
const initialsOf = (label: string): string | null => {
  const words = label.split(/[\s-]+/).filter(word => /^\p{L}/u.test(word))
  return words.length >= 3 ? words.map(word => word.charAt(0)).join('') : null
}

/** A model of nothing but days. */
const isCalendarModel = ({ name }: SemanticModel): boolean =>
  name === 'date' || name === 'calendar' || name === 'day'

const isCalendarModelName = (name: string, { models }: SemanticLayer): boolean => {
  const model = models.find(one => one.name === name)
  return model !== undefined && isCalendarModel(model)
}

/** Everyday words for models that are called something else: a firm's customers may be its accounts. */
const addModelWords = ({ models }: SemanticLayer, add: Add): void => {
  const heads = new Map(
    models
      .filter(model => !isCalendarModel(model))
      .map(model => [model, stemWord(model.name.split('_').at(-1) ?? model.name)]),
  )
  for (const { said, named } of modelWords) {
    const wanted = named.split(' ').map(stemWord)
    const found = [...heads]
      .map(([model, head]) => ({ model, rank: wanted.indexOf(head) }))
      .filter(({ rank }) => rank !== -1)
      .toSorted((a, b) => a.rank - b.rank || a.model.name.split('_').length - b.model.name.split('_').length)
    const [best] = found
    if (best)
      for (const word of said.split('|'))
        add(word, { kind: 'model', model: best.model }, best.rank === 0 ? 1 : 0.9)
  }
}

/** Words that say only that a table has rows. */
const rowWords = new Set([
  'event',
  'record',
  'log',
  'entry',
  'history',
  'transaction',
  'stat',
  'detail',
  'fact',
])

/** "Kind of room", "types of visit": a name that ends in such a word, turned round. */
const kindsOf = (words: readonly string[]): readonly string[] => {
  const noun = words.slice(0, -1).join(' ')
  if (noun === '' || !/^(?:type|kind|category|class)$/i.test(words.at(-1) ?? '')) return []
  return ['type', 'kind', 'sort', 'category'].map(one => `${one} of ${noun}`)
}

type Add = (phrase: string, term: Term, quality: number) => void

const addModel = (
  model: SemanticModel,
  layer: SemanticLayer,
  add: Add,
  addName: (phrases: readonly string[], term: Term, quality: number) => void,
): void => {
  const term = { kind: 'model', model } as const
  addName([model.label, model.name.replaceAll('_', ' ')], term, 1)
  const words = model.name.split('_')
  if (words.length > 1 && rowWords.has(words.at(-1) ?? '')) add(words.slice(0, -1).join(' '), term, 0.8)
  for (const synonym of model.synonyms) add(synonym, term, 0.97)
  for (const phrase of kindsOf(words)) add(phrase, term, 0.97)
  const summed = new Set(
    layer.metrics.flatMap(metric =>
      metric.kind === 'simple' && metric.model === model.name && metric.expression?.kind === 'column'
        ? [metric.expression.column]
        : [],
    ),
  )
  const sells = new Set(
    layer.metrics.flatMap(metric =>
      metric.kind === 'simple' && metric.synonyms.includes('sales') ? [metric.model] : [],
    ),
  )
  for (const dimension of model.dimensions) {
    const isDate = dimension.type === 'date' || dimension.type === 'timestamp'
    const meant = { kind: 'dimension', model, dimension } as const
    // A number is found as its metric, a key by the name of its model.
    if (dimension.isKey && dimension.type !== 'categorical') {
      add(dimension.name.replaceAll('_', ' '), meant, 0.9)
      continue
    }
    const isMetric = dimension.type === 'number' && summed.has(dimension.name)
    if (!isMetric)
      addName(
        [dimension.label, splitName(dimension.name).join(' ')],
        meant,
        // A flag is rather said of its rows than shown.
        dimension.isKey ? 0.6 : dimension.type === 'boolean' ? 0.8 : 0.96,
      )
    for (const synonym of dimension.synonyms) add(synonym, meant, 0.95)
    const named = splitName(dimension.name)
    for (const phrase of kindsOf(named.length > 1 ? named : [...words, ...named])) add(phrase, meant, 0.93)
    if (/method/i.test(dimension.name) && /pay/i.test(`${model.name} ${dimension.name}`))
      for (const payer of ['people', 'they', 'customers', 'clients', 'it was'])
        for (const verb of ['paid', 'pay']) add(`how ${payer} ${verb}`, meant, 0.9)
    if (dimension.type === 'categorical' && !dimension.isKey)
      for (const owner of [model.label, ...(sells.has(model.name) ? ['sales'] : [])])
        add(`${owner} ${dimension.label}`, meant, 0.94)
    if (isDate) addEvents(model, dimension, add)
    if (dimension.type === 'boolean') continue
    for (const value of dimension.values ?? [])
      if (typeof value === 'string' && /\p{L}{2}/u.test(value)) {
        const valued = { kind: 'value', model, dimension, value } as const
        // "The biggest single order" is not about single rooms.
        add(
          value.replaceAll(/[_-]/g, ' '),
          valued,
          isCueWord(value.toLowerCase()) ? 0.5 : dimension.isKey ? 0.7 : 0.97,
        )
      }
  }
  for (const join of model.joins) {
    const role = join.name.replaceAll('_', ' ')
    const isTail = join.to.split('_').slice(-join.name.split('_').length).join('_') === join.name
    if (join.name !== join.to && !isTail && !isCalendarModelName(join.to, layer))
      add(role, { kind: 'role', model, join }, 0.93)
    if (join.to === model.name)
      for (const word of ['manager', 'boss', 'supervisor', 'superior', 'lead', 'head', 'parent'])
        add(word, { kind: 'role', model, join }, role.includes(word) ? 1 : 0.8)
  }
}

const addEvents = (
  model: SemanticModel,
  dimension: Extract<Term, { kind: 'event' }>['dimension'],
  add: Add,
): void => {
  const words = splitName(dimension.name)
  const isOwn = model.timeDimension === dimension.name
  const term = { kind: 'event', model, dimension, isOwn } as const
  // A staff member is staff, and no member.
  const said = model.synonyms.map(one => one.replace(/ member$/, ''))
  const names = [...model.name.split('_'), ...said.flatMap(one => one.split(' '))]
  for (const { words: phrases, dates, models } of eventWords) {
    if (!words.some(word => dates.split(' ').includes(word))) continue
    const rank =
      models === ''
        ? 0
        : models.split(' ').findIndex(one => names.some(name => stemWord(name) === stemWord(one)))
    if (rank === -1) continue
    for (const phrase of phrases.split('|')) add(phrase, term, 0.9 - Math.min(rank, 8) * 0.01)
  }
  for (const word of words)
    if (!['date', 'at', 'on', 'is', 'of'].includes(word)) {
      const said = toSingular(word).replace(/ed$/, '')
      for (const form of new Set([word, said, `${said}e`])) {
        add(`${form} date`, term, 0.95)
        add(`${form} dates`, term, 0.95)
      }
    }
  for (const word of words) if (/(?:ed|en|ing)$/.test(word) && word.length > 4) add(word, term, 0.92)
}
