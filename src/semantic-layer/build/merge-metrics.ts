import type { KnowledgeLocation } from '../../domain/knowledge.ts'
import type { LayerExpression, Metric, MetricDefinition, Unit } from '../../domain/metrics/semantic-layer.ts'
import { formulaNames, parseFormula } from '../compile/formula.ts'
import { type LayerIndex, momentTypeOf } from '../compile/layer-index.ts'
import type { FileDefinition, FileMetric } from '../files/layer-file.ts'
import { didYouMean } from '../files/nearest-name.ts'
import { columnWords, labelOf } from '../propose/names.ts'
import { checkCondition, checkExpression, type ExpressionPlace } from './check-expression.ts'
import type { LayerReport } from './layer-item.ts'
import { dateProblem, durationProblem } from './merge-dimensions.ts'
import { phraseKey, phrasesOf, withoutPhrases, wordOf } from './phrases.ts'
import { isPartName } from './read-terms.ts'

/** What metrics are merged from. */
interface GivenMetrics {
  readonly files: readonly FileMetric[]
  readonly terms: readonly FileMetric[]
  readonly proposed: readonly Metric[]
  readonly rejected: ReadonlySet<string>
}

/** A metric of a file, before the metrics that it refers to are looked up. */
interface Draft {
  readonly metric: Metric
  readonly at: KnowledgeLocation
  readonly statedUnit: FileMetric['unit']
  readonly isTerm: boolean
}

/**
 * Puts the metrics of files before those of the glossary, and both before what is proposed: the first metric with a
 * synonym is the one that is meant. Proposals that say the same, or that somebody rejected, are left out.
 */
export const mergeMetrics = (
  given: GivenMetrics,
  place: Omit<ExpressionPlace, 'model'>,
  report: LayerReport,
): readonly Metric[] => {
  const drafts: Draft[] = []
  const said = new Map<
    string,
    { readonly name: string; readonly at: KnowledgeLocation; readonly model: string | null }[]
  >()
  const add = (file: FileMetric, isTerm: boolean): void => {
    const key = `metric ${file.name}`
    if (report.broken.has(key)) return
    const fail = (message: string): void =>
      void (isTerm ? report.notes : report.problems).push({ at: file.at, message })
    const same = drafts.find(({ metric }) => metric.name === file.name)
    if (same && isTerm) return
    if (same) {
      fail(`there is a metric ${file.name} already (${same.at.file}:${same.at.line}); give one another name`)
      return
    }
    if (isTerm && said.has(phraseKey(file.name))) return
    const made = makeMetric(file, given.proposed, place)
    if (typeof made === 'string') {
      fail(made)
      return
    }
    const model = made.kind === 'simple' ? made.model : null
    // Two metrics may share a word if their models differ: revenue of orders, and of order lines for products.
    const clash = (phrase: string) =>
      said.get(phrase)?.find(other => other.model === model || other.model === null || model === null)
    let metric = made
    const clashing = phrasesOf(made).find(clash)
    if (clashing !== undefined) {
      if (!isTerm)
        fail(
          `the metrics ${clash(clashing)?.name} and ${file.name} are both called “${wordOf(made, clashing)}”; remove it from one of them`,
        )
      metric = { ...made, synonyms: made.synonyms.filter(word => clash(phraseKey(word)) === undefined) }
    }
    for (const phrase of phrasesOf(metric))
      said.set(phrase, [...(said.get(phrase) ?? []), { name: file.name, at: file.at, model }])
    drafts.push({ metric, at: file.at, statedUnit: file.unit, isTerm })
    report.items.push({ key, at: file.at, isTerm, use: { kind: 'named', metric: file.name, filters: [] } })
  }
  for (const file of given.files) add(file, false)
  for (const file of given.terms) add(file, true)
  const { proposed, newNames } = remainingProposals(given, drafts)
  return withReferences(drafts, proposed, newNames, report)
}

const makeMetric = (
  file: FileMetric,
  proposed: readonly Metric[],
  { index, dialect }: Omit<ExpressionPlace, 'model'>,
): Metric | string => {
  const proposal = proposed.find(
    ({ name, ...rest }) =>
      name === file.name && (file.model === null || rest.kind !== 'simple' || rest.model === file.model),
  )
  const definition =
    file.definition === null
      ? (proposal ??
        `say what ${file.name} is: an agg with an expr, or a type (no metric of that name is proposed)`)
      : defineMetric(file.definition, file, { index, dialect })
  if (typeof definition === 'string') return definition
  const isSame = file.definition === null
  return {
    ...definitionOf(definition),
    name: file.name,
    label: file.label ?? (isSame && proposal ? proposal.label : labelOf(columnWords(file.name))),
    synonyms: file.synonyms ?? (isSame && proposal ? proposal.synonyms : []),
    description: file.description ?? (isSame && proposal ? proposal.description : null),
    unit:
      file.unit === 'none'
        ? null
        : (file.unit ?? (isSame && proposal ? proposal.unit : unitOf(definition, index))),
    goodDirection: file.better ?? (isSame && proposal ? proposal.goodDirection : null),
    status: 'accepted',
  }
}

/** Only what says how a metric is calculated. */
export const definitionOf = (metric: MetricDefinition): MetricDefinition => {
  switch (metric.kind) {
    case 'simple': {
      const { kind, model, aggregation, expression, percentile, filters, timeDimension } = metric
      return { kind, model, aggregation, expression, percentile, filters, timeDimension }
    }
    case 'ratio':
      return { kind: 'ratio', numerator: metric.numerator, denominator: metric.denominator }
    case 'derived':
      return { kind: 'derived', formula: metric.formula }
    case 'cumulative':
      return { kind: 'cumulative', metric: metric.metric, window: metric.window, toDate: metric.toDate }
    default: {
      const never: never = metric
      return never
    }
  }
}

const defineMetric = (
  definition: FileDefinition,
  { model: modelName }: FileMetric,
  { index, dialect }: Omit<ExpressionPlace, 'model'>,
): MetricDefinition | string => {
  switch (definition.kind) {
    case 'ratio':
      return definition
    case 'derived':
      return { kind: 'derived', formula: definition.expr }
    case 'cumulative': {
      const [count, unit] = definition.window?.split(' ') ?? []
      const window =
        count === undefined ? null : { count: Number(count), unit: unit?.replace(/s$/, '') as 'day' }
      return {
        kind: 'cumulative',
        metric: definition.metric,
        window,
        toDate: definition.grainToDate as 'day' | null,
      }
    }
    case 'simple': {
      const model = index.models.get(modelName ?? '')
      if (model === undefined)
        return `there is no model ${modelName}${didYouMean(modelName ?? '', index.models.keys())}`
      const place = { index, model, dialect }
      const expression = measured(definition, place)
      if (typeof expression === 'string') return expression
      const filters: string[] = []
      for (const filter of definition.filters) {
        const checked = checkCondition(filter, place)
        if (!checked.ok) return `filter: ${checked.message}`
        filters.push(checked.text)
      }
      const { timeDimension: time } = definition
      const problem = time === null ? null : dateProblem(time, model, index)
      if (problem !== null) return `agg_time_dimension: ${problem}`
      const { aggregation, percentile } = definition
      return {
        kind: 'simple',
        model: model.model.name,
        aggregation,
        expression,
        percentile,
        filters,
        timeDimension: time,
      }
    }
    default: {
      const never: never = definition
      return never
    }
  }
}

const measured = (
  { expr, duration, aggregation }: FileDefinition & { readonly kind: 'simple' },
  place: ExpressionPlace,
): LayerExpression | null | string => {
  if (duration !== null) return durationProblem(duration, place.model) ?? { kind: 'duration', ...duration }
  if (expr === null) return null
  const checked = checkExpression(expr, place)
  if (!checked.ok) return checked.message
  const { expression } = checked
  const column = expression.kind === 'column' ? place.model.columns.get(expression.column) : undefined
  const isNumeric =
    column === undefined ||
    column.kind === 'integer' ||
    column.kind === 'number' ||
    column.profile?.numericText === true
  if (!isNumeric && ['sum', 'avg', 'median', 'percentile'].includes(aggregation))
    return `agg: ${aggregation} needs a number, but ${column.name} is ${column.type}; use count_distinct, or another expr`
  return expression
}

/** What a figure is measured in: as its column, and the number of something if it is a count. */
const unitOf = (definition: MetricDefinition, { models }: LayerIndex): Unit | null => {
  if (definition.kind !== 'simple') return null
  const { aggregation, expression } = definition
  if (aggregation === 'count' || aggregation === 'count_distinct') return { kind: 'count' }
  if (expression?.kind === 'duration') return { kind: 'duration', unit: expression.unit }
  const model = models.get(definition.model)
  const dimension = [...(model?.dimensions.values() ?? [])].find(
    one => JSON.stringify(one.expression) === JSON.stringify(expression),
  )
  if (dimension?.unit) return dimension.unit
  return aggregation === 'sum' &&
    dimension &&
    model &&
    momentTypeOf(model, dimension) !== 'date' &&
    expression?.kind === 'column'
    ? { kind: 'count' }
    : null
}

/** Proposals that are still worth something beside what is accepted, and what stands for those that are not. */
const remainingProposals = (
  { proposed, rejected }: GivenMetrics,
  drafts: readonly Draft[],
): { readonly proposed: readonly Metric[]; readonly newNames: ReadonlyMap<string, string> } => {
  // Parts of terms have no words of their own: they stand for nothing.
  const accepted = drafts.flatMap(({ metric, isTerm }) => (isTerm && isPartName(metric.name) ? [] : [metric]))
  const newNames = new Map<string, string>()
  const remaining = proposed.flatMap((metric): readonly Metric[] => {
    if (rejected.has(metric.name)) return []
    const names = new Set([metric.name, metric.label].map(phraseKey))
    const same = accepted.find(
      one =>
        one.name === metric.name ||
        phrasesOf(one).some(phrase => names.has(phrase)) ||
        JSON.stringify(definitionOf(one)) === JSON.stringify(definitionOf(metric)),
    )
    if (same) {
      newNames.set(metric.name, same.name)
      return []
    }
    // Of the same rows only one figure can be meant; of other rows it may be what a question needs.
    const taken = new Set(
      accepted
        .filter(one => one.kind !== 'simple' || metric.kind !== 'simple' || one.model === metric.model)
        .flatMap(phrasesOf),
    )
    return [{ ...metric, synonyms: withoutPhrases(metric.synonyms, taken) }]
  })
  return { proposed: remaining, newNames }
}

/** Looks up the metrics that others are made of. */
const withReferences = (
  drafts: readonly Draft[],
  proposed: readonly Metric[],
  newNames: ReadonlyMap<string, string>,
  { problems, notes, broken }: LayerReport,
): readonly Metric[] => {
  const all = new Map<string, Metric>()
  for (const { metric } of drafts) all.set(metric.name, metric)
  for (const metric of proposed)
    if (!all.has(metric.name)) all.set(metric.name, renameReferences(metric, newNames))
  const nameOf = (name: string): string => (all.has(name) ? name : (newNames.get(name) ?? name))
  for (const { metric } of drafts)
    all.set(
      metric.name,
      renameReferences(metric, new Map([...referencesOf(metric)].map(name => [name, nameOf(name)]))),
    )
  // One that is left out may leave out others.
  const drafted = new Map(drafts.map(draft => [draft.metric.name, draft]))
  const left = new Set([...broken].map(key => key.replace(/^metric /, '')))
  for (let isDone = false; !isDone; ) {
    isDone = true
    for (const metric of all.values()) {
      const message = referenceProblem(metric, all, left)
      if (message === null) continue
      const draft = drafted.get(metric.name)
      if (draft) (draft.isTerm ? notes : problems).push({ at: draft.at, message })
      all.delete(metric.name)
      left.add(metric.name)
      isDone = false
    }
  }
  // Parts of a term that is left out mean nothing by themselves.
  const used = new Set([...all.values()].flatMap(referencesOf))
  for (const { metric, isTerm } of drafts)
    if (isTerm && isPartName(metric.name) && !used.has(metric.name)) all.delete(metric.name)
  const units = new Map(drafts.map(({ metric, statedUnit }) => [metric.name, statedUnit]))
  const resolved = new Map<string, Metric>()
  const resolve = (name: string): Metric => {
    const known = resolved.get(name)
    if (known) return known
    const metric = all.get(name)!
    const made = metric.status === 'proposed' ? metric : withUnit(metric, units.get(name) ?? null, resolve)
    resolved.set(name, made)
    return made
  }
  return [...all.keys()].map(resolve)
}

/** The metrics that a metric is made of. */
export const referencesOf = (metric: Metric): readonly string[] => {
  switch (metric.kind) {
    case 'simple':
      return []
    case 'ratio':
      return [metric.numerator, metric.denominator]
    case 'derived':
      return formulaNames(metric.formula)
    case 'cumulative':
      return [metric.metric]
    default: {
      const never: never = metric
      return never
    }
  }
}

const renameReferences = (metric: Metric, names: ReadonlyMap<string, string>): Metric => {
  const nameOf = (name: string): string => names.get(name) ?? name
  switch (metric.kind) {
    case 'simple':
      return metric
    case 'ratio':
      return { ...metric, numerator: nameOf(metric.numerator), denominator: nameOf(metric.denominator) }
    case 'derived':
      return { ...metric, formula: metric.formula.replace(/[\p{L}_][\p{L}\p{N}_]*/gu, nameOf) }
    case 'cumulative':
      return { ...metric, metric: nameOf(metric.metric) }
    default: {
      const never: never = metric
      return never
    }
  }
}

const referenceProblem = (
  metric: Metric,
  all: ReadonlyMap<string, Metric>,
  left: ReadonlySet<string>,
): string | null => {
  const missing = referencesOf(metric).find(name => !all.has(name))
  if (missing !== undefined)
    return left.has(missing)
      ? `${metric.name} needs the metric ${missing}, which has a problem of its own`
      : `there is no metric ${missing}${didYouMean(missing, all.keys())}`
  if (metric.kind === 'derived') {
    try {
      parseFormula(metric.formula, () => ({ kind: 'number', value: 1 }))
    } catch {
      return `cannot read “${metric.formula}”; write arithmetic over metrics, such as (revenue - cost) / revenue`
    }
  }
  const circle = circleOf(metric.name, all)
  return circle === null ? null : `${metric.name} is defined by itself: ${circle.join(' needs ')}`
}

const circleOf = (start: string, all: ReadonlyMap<string, Metric>): readonly string[] | null => {
  const seen = new Set<string>()
  const follow = (name: string, path: readonly string[]): readonly string[] | null => {
    const metric = all.get(name)
    for (const next of metric ? referencesOf(metric) : []) {
      if (next === start) return [...path, next]
      if (seen.has(next)) continue
      seen.add(next)
      const found = follow(next, [...path, next])
      if (found) return found
    }
    return null
  }
  return follow(start, [start])
}

/**
 * The unit of a metric over others. Amounts that are kept in different units, such as cents and euros, are brought to
 * one unit first.
 */
const withUnit = (metric: Metric, stated: FileMetric['unit'], resolve: (name: string) => Metric): Metric => {
  if (metric.kind === 'simple') return metric
  const unitsOf = new Map(referencesOf(metric).map(name => [name, resolve(name).unit] as const))
  if (metric.kind === 'cumulative')
    return { ...metric, unit: stated === null ? (unitsOf.get(metric.metric) ?? null) : metric.unit }
  const scales = new Set(
    [...unitsOf.values()].flatMap(unit => (unit?.kind === 'currency' ? [unit.scale] : [])),
  )
  if (metric.kind === 'ratio') {
    const [over, under] = [unitsOf.get(metric.numerator), unitsOf.get(metric.denominator)]
    const isAmountEach = over?.kind === 'currency' && under?.kind !== 'currency'
    const unit = stated !== null ? metric.unit : isAmountEach ? over : metric.unit
    if (over?.kind !== 'currency' || under?.kind !== 'currency' || scales.size < 2) return { ...metric, unit }
    const { numerator, denominator, ...rest } = metric
    return {
      ...rest,
      unit,
      kind: 'derived',
      formula: `${decimal(over.scale / under.scale)} * ${numerator} / ${denominator}`,
    }
  }
  const [first] = [...unitsOf.values()].filter(unit => unit?.kind === 'currency')
  if (scales.size < 2) {
    const isSum = !/[*/]/.test(metric.formula)
    return { ...metric, unit: stated === null && isSum ? ([...unitsOf.values()][0] ?? null) : metric.unit }
  }
  const target = metric.unit?.kind === 'currency' ? metric.unit.scale : 1
  const formula = metric.formula.replace(/[\p{L}_][\p{L}\p{N}_]*/gu, name => {
    const unit = unitsOf.get(name)
    return unit?.kind === 'currency' && unit.scale !== target
      ? `(${decimal(unit.scale / target)} * ${name})`
      : name
  })
  const isSum = !/[*/]/.test(metric.formula)
  const unit =
    stated === null && isSum && first?.kind === 'currency' ? { ...first, scale: target } : metric.unit
  return { ...metric, formula, unit }
}

/** A number as formulas have it, without an exponent. */
const decimal = (value: number): string =>
  String(Number(value.toPrecision(12))).includes('e')
    ? value.toFixed(9)
    : String(Number(value.toPrecision(12)))
