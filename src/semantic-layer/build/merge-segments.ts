import type { Segment, SegmentCondition, SemanticModel } from '../../domain/metrics/semantic-layer.ts'
import { findPath } from '../compile/layer-index.ts'
import type { FileSegment } from '../files/layer-file.ts'
import { didYouMean } from '../files/nearest-name.ts'
import { columnWords, labelOf } from '../propose/names.ts'
import { checkCondition, type ExpressionPlace } from './check-expression.ts'
import type { LayerReport } from './layer-item.ts'
import { dateProblem } from './merge-dimensions.ts'
import { phraseKey, phrasesOf, withoutPhrases, wordOf } from './phrases.ts'

interface GivenSegments {
  readonly files: readonly FileSegment[]
  readonly terms: readonly FileSegment[]
  readonly proposed: readonly Segment[]
  readonly rejected: ReadonlySet<string>
}

/** Puts the segments of files before those of the glossary, and both before what is proposed. */
export const mergeSegments = (
  given: GivenSegments,
  place: Omit<ExpressionPlace, 'model'>,
  report: LayerReport,
): readonly Segment[] => {
  const accepted = new Map<string, Segment>()
  const said = new Map<string, string>()
  const add = (file: FileSegment, isTerm: boolean): void => {
    const key = `segment ${file.name}`
    if (report.broken.has(key)) return
    const fail = (message: string): void =>
      void (isTerm ? report.notes : report.problems).push({ at: file.at, message })
    if (accepted.has(file.name)) {
      if (!isTerm) fail(`there is a segment ${file.name} already; give one another name`)
      return
    }
    const conditions = conditionsOf(file, place)
    if (typeof conditions === 'string') {
      fail(conditions)
      return
    }
    const made: Segment = {
      name: file.name,
      label: file.label ?? labelOf(columnWords(file.name)),
      synonyms: file.synonyms ?? [],
      description: file.description,
      model: file.model,
      conditions,
      status: 'accepted',
    }
    const keyOf = (phrase: string): string => `${file.model}|${phrase}`
    if (isTerm && said.has(keyOf(phraseKey(made.label)))) return
    const clash = phrasesOf(made).find(phrase => said.has(keyOf(phrase)))
    if (clash !== undefined && !isTerm)
      fail(
        `the segments ${said.get(keyOf(clash))} and ${file.name} of ${file.model} are both called “${wordOf(made, clash)}”; remove it from one of them`,
      )
    const synonyms = made.synonyms.filter(word => !said.has(keyOf(phraseKey(word))))
    for (const phrase of phrasesOf({ ...made, synonyms })) said.set(keyOf(phrase), file.name)
    accepted.set(file.name, { ...made, synonyms })
    report.items.push({
      key,
      at: file.at,
      isTerm,
      use: {
        kind: 'made',
        label: key,
        model: file.model,
        aggregation: 'count',
        of: null,
        percentile: null,
        filters: [{ kind: 'segment', segment: file.name, via: null, negated: false }],
      },
    })
  }
  for (const file of given.files) add(file, false)
  for (const file of given.terms) add(file, true)
  return [...accepted.values(), ...remainingProposals(given, [...accepted.values()], place)]
}

const conditionsOf = (
  { model: name, where, past, related }: FileSegment,
  { index, dialect }: Omit<ExpressionPlace, 'model'>,
): readonly SegmentCondition[] | string => {
  const { models } = index
  const model = models.get(name)
  if (model === undefined) return `there is no model ${name}${didYouMean(name, models.keys())}`
  const conditions: SegmentCondition[] = []
  for (const text of where) {
    const checked = checkCondition(text, { index, model, dialect })
    if (!checked.ok) return `where: ${checked.message}`
    conditions.push({ kind: 'sql', text: checked.text })
  }
  for (const dimension of past) {
    const problem = model.dimensions.has(dimension)
      ? dateProblem(dimension, model, index)
      : `${name} has no date ${dimension}${didYouMean(dimension, model.dimensions.keys())}`
    if (problem !== null) return `past: ${problem}`
    conditions.push({ kind: 'past', dimension })
  }
  for (const relation of related) {
    const target = models.get(relation.model)
    if (target === undefined)
      return `has: there is no model ${relation.model}${didYouMean(relation.model, models.keys())}`
    if (findPath(index, name, relation.model) === null)
      return `has: nothing leads from ${name} to ${relation.model}; add a join`
    if (relation.days !== null && target.model.timeDimension === null)
      return `has: within_days needs a date, and ${relation.model} has none; give it an agg_time_dimension`
    const texts: string[] = []
    for (const text of relation.where) {
      const checked = checkCondition(text, { index, model: target, dialect })
      if (!checked.ok) return `has: ${checked.message}`
      texts.push(checked.text)
    }
    conditions.push({
      kind: 'related',
      model: relation.model,
      negated: relation.negated,
      where: texts,
      days: relation.days,
    })
  }
  return conditions
}

const remainingProposals = (
  { proposed, rejected }: GivenSegments,
  accepted: readonly Segment[],
  { index }: Omit<ExpressionPlace, 'model'>,
): readonly Segment[] =>
  proposed.flatMap(segment => {
    const model: SemanticModel | undefined = index.models.get(segment.model)?.model
    if (rejected.has(segment.name) || model === undefined) return []
    const own = accepted.filter(one => one.model === segment.model)
    const isSame = own.some(
      one =>
        one.name === segment.name ||
        phrasesOf(one).includes(phraseKey(segment.label)) ||
        JSON.stringify(one.conditions) === JSON.stringify(segment.conditions),
    )
    if (isSame) return []
    const synonyms = withoutPhrases(segment.synonyms, new Set(own.flatMap(phrasesOf)))
    return [{ ...segment, synonyms }]
  })
