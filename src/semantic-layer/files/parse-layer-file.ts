import type { KnowledgeProblem } from '../../domain/knowledge.ts'
import type { Aggregation, DurationUnit } from '../../domain/metrics/semantic-layer.ts'
import type {
  FileDefinition,
  FileDimension,
  FileDuration,
  FileJoin,
  FileMetric,
  FileModel,
  FileName,
  FileRelation,
  FileSegment,
  FileUnit,
  LayerFile,
} from './layer-file.ts'
import { didYouMean } from './nearest-name.ts'
import { readYamlMap, type YamlMap } from './yaml-reader.ts'

const fileKeys = ['database', 'semantic_models', 'metrics', 'segments', 'exclude', 'rejected'] as const

const namingKeys = ['name', 'label', 'synonyms', 'description'] as const

const modelKeys = [
  ...namingKeys,
  ...(['table', 'plural', 'primary_key', 'name_dimensions', 'agg_time_dimension'] as const),
  ...(['dimensions', 'joins', 'metrics'] as const),
]

const dimensionKeys = [
  ...namingKeys,
  ...(['type', 'granularity', 'expr', 'duration', 'values', 'unit', 'key'] as const),
]

const metricKeys = [
  ...namingKeys,
  ...(['type', 'model', 'agg', 'expr', 'duration', 'percentile', 'filter', 'agg_time_dimension'] as const),
  ...(['numerator', 'denominator', 'metric', 'window', 'grain_to_date', 'unit', 'better'] as const),
]

const segmentKeys = [...namingKeys, 'model', 'where', 'past', 'has', 'has_not'] as const

const relationKeys = ['model', 'where', 'within_days'] as const

const durationKeys = ['from', 'until', 'unit'] as const

const durationUnits = ['second', 'minute', 'hour', 'day'] as const

const aggregations: Readonly<Record<string, Aggregation>> = {
  sum: 'sum',
  count: 'count',
  count_distinct: 'count_distinct',
  avg: 'avg',
  average: 'avg',
  min: 'min',
  max: 'max',
  median: 'median',
  percentile: 'percentile',
}

/**
 * Reads a file of the semantic layer (docs/semantic-layer.md describes it). What cannot be read is a problem with its
 * line, and left out; the rest is read all the same.
 */
export const parseLayerFile = (text: string, { file }: { readonly file: string }): LayerFile => {
  const problems: KnowledgeProblem[] = []
  const root = readYamlMap(text, { file, keys: fileKeys, problems })
  const nothing = { models: [], metrics: [], segments: [], exclude: [], rejected: [], problems }
  // Nobody knows what an unreadable file is about, so its problem is reported for all databases.
  if (root === null) return { ...nothing, databases: null, at: { file, line: 1 } }
  const models = root.maps('semantic_models', modelKeys, 'a semantic model')
  const read = models.map(map => ({ map, model: readModel(map) }))
  return {
    databases: root.texts('database'),
    at: root.atKey('database'),
    models: read.flatMap(({ model }) => (model === null ? [] : [model])),
    metrics: [
      ...read.flatMap(({ map, model }) => {
        const metrics = map.maps('metrics', metricKeys, 'a metric')
        return model === null ? [] : metrics.flatMap(metric => orNothing(readMetric(metric, model.name)))
      }),
      ...root.maps('metrics', metricKeys, 'a metric').flatMap(map => orNothing(readMetric(map, null))),
    ],
    segments: root.maps('segments', segmentKeys, 'a segment').flatMap(map => orNothing(readSegment(map))),
    exclude: namesOf(root, 'exclude'),
    rejected: namesOf(root, 'rejected'),
    problems,
  }
}

const orNothing = <Item>(item: Item | null): readonly Item[] => (item === null ? [] : [item])

const namesOf = (map: YamlMap, key: string): readonly FileName[] =>
  (map.texts(key) ?? []).map(name => ({ name, at: map.atKey(key) }))

const namePattern = /^[\p{L}_][\p{L}\p{N}_]*$/u

/** Name, label, synonyms and description; null without a name that can be used in expressions. */
const readNaming = (map: YamlMap, what: string) => {
  const name = map.text('name')
  if (name === null) {
    if (!map.has('name')) map.report(`${what} needs a name`)
    return null
  }
  if (!namePattern.test(name)) {
    const better = name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_')
    map.report(
      `a name has letters, digits and underscores: write ${better}, and “${name}” as its label`,
      map.atKey('name'),
    )
    return null
  }
  return {
    name,
    at: map.at,
    label: map.text('label'),
    synonyms: map.texts('synonyms')?.map(word => word.toLowerCase()) ?? null,
    description: map.text('description'),
  }
}

/** A model is kept if one of its keys is wrong: only that key is left out. */
const readModel = (map: YamlMap): FileModel | null => {
  const naming = readNaming(map, 'a semantic model')
  if (naming === null) return null
  return {
    ...naming,
    table: map.text('table'),
    plural: map.text('plural')?.toLowerCase() ?? null,
    primaryKey: map.texts('primary_key'),
    nameDimensions: map.texts('name_dimensions'),
    timeDimension: map.text('agg_time_dimension'),
    dimensions: map
      .maps('dimensions', dimensionKeys, 'a dimension')
      .flatMap(one => orNothing(readDimension(one))),
    joins: map.maps('joins', ['name', 'to', 'on'], 'a join').flatMap(one => orNothing(readJoin(one))),
  }
}

const readDimension = (map: YamlMap): FileDimension | null => {
  const naming = readNaming(map, 'a dimension')
  const dimension = {
    type: map.oneOf('type', ['categorical', 'number', 'boolean', 'time']),
    granularity: map.oneOf('granularity', [
      'second',
      'minute',
      'hour',
      'day',
      'week',
      'month',
      'quarter',
      'year',
    ]),
    expr: map.text('expr'),
    duration: readDuration(map),
    values: map.values('values'),
    unit: readUnit(map),
    isKey: map.flag('key'),
  }
  if (dimension.expr !== null && dimension.duration !== null)
    map.report('give either expr or duration', map.atKey('duration'))
  return naming === null || map.isBroken() ? null : { ...naming, ...dimension }
}

const readDuration = (map: YamlMap): FileDuration | null => {
  const duration = map.map('duration', durationKeys, 'a duration')
  if (duration === null) return null
  const [from, until] = [duration.text('from'), duration.text('until')]
  const unit: DurationUnit | null = duration.oneOf('unit', durationUnits)
  if (from !== null && until !== null && unit !== null && !duration.isBroken()) return { from, until, unit }
  map.report(
    'write a duration as { from: opened_at, until: closed_at, unit: hour }, with dates of the model',
    map.atKey('duration'),
  )
  return null
}

const readJoin = (map: YamlMap): FileJoin | null => {
  const [to, on] = [map.text('to'), map.pairs('on')]
  if (to === null || on === null || on.length === 0) {
    if (!map.isBroken())
      map.report('write a join as { name: customer, to: customer, on: { customer_id: id } }')
    return null
  }
  const name = map.text('name') ?? to
  return map.isBroken()
    ? null
    : { name, at: map.at, to, columns: on.map(([from, into]) => ({ from, to: into })) }
}

const readMetric = (map: YamlMap, within: string | null): FileMetric | null => {
  const naming = readNaming(map, 'a metric')
  const model = within ?? map.text('model')
  if (within !== null && map.has('model'))
    map.report('a metric inside a semantic model needs no model', map.atKey('model'))
  const unit = readUnit(map)
  const better = map.oneOf('better', ['up', 'down'])
  const definition = readDefinition(map, model)
  return naming === null || map.isBroken() ? null : { ...naming, model, unit, better, definition }
}

/** Keys that only belong to one type of metric. */
const keysOfTypes = {
  simple: ['agg', 'duration', 'percentile', 'filter', 'agg_time_dimension'],
  ratio: ['numerator', 'denominator'],
  derived: [],
  cumulative: ['metric', 'window', 'grain_to_date'],
} as const

const readDefinition = (map: YamlMap, model: string | null): FileDefinition | null => {
  const given = map.oneOf('type', ['simple', 'ratio', 'derived', 'cumulative'])
  if (map.has('type') && given === null) return null
  const isSimple = keysOfTypes.simple.some(map.has) || map.has('expr')
  if (given === null && !isSimple) {
    for (const type of ['ratio', 'cumulative'] as const)
      for (const key of keysOfTypes[type].filter(map.has)) {
        map.report(`add type: ${type} for the key ${key}`, map.atKey(key))
        return null
      }
    // It adds words to a proposal.
    return null
  }
  const type = given ?? 'simple'
  const others = Object.entries(keysOfTypes).flatMap(([other, keys]) => (other === type ? [] : keys))
  for (const key of others.filter(map.has)) map.report(`a ${type} metric has no ${key}`, map.atKey(key))
  switch (type) {
    case 'simple':
      return readSimple(map, model)
    case 'ratio': {
      const [numerator, denominator] = [map.text('numerator'), map.text('denominator')]
      if (numerator !== null && denominator !== null) return { kind: 'ratio', numerator, denominator }
      map.report('a ratio needs a numerator and a denominator: the names of two metrics')
      return null
    }
    case 'derived': {
      const expr = map.text('expr')
      if (expr !== null) return { kind: 'derived', expr }
      map.report('a derived metric needs an expr over the names of metrics, such as revenue - cost')
      return null
    }
    case 'cumulative': {
      const [metric, window] = [map.text('metric'), map.text('window')]
      const grainToDate = map.oneOf('grain_to_date', ['day', 'week', 'month', 'quarter', 'year'])
      if (metric === null) map.report('a cumulative metric needs a metric: the name of another one')
      if (window !== null && !/^\d+ (?:day|week|month|quarter|year)s?$/.test(window))
        map.report(`write a window as 7 days, not ${window}`, map.atKey('window'))
      if (window !== null && grainToDate !== null)
        map.report('give either a window or grain_to_date', map.atKey('window'))
      return metric === null ? null : { kind: 'cumulative', metric, window, grainToDate }
    }
    default: {
      const never: never = type
      return never
    }
  }
}

const readSimple = (map: YamlMap, model: string | null): FileDefinition | null => {
  const agg = map.text('agg')
  const aggregation = agg === null ? undefined : aggregations[agg.toLowerCase()]
  const [expr, duration] = [map.text('expr'), readDuration(map)]
  const percentile = map.number('percentile')
  if (aggregation === undefined) {
    const known = Object.keys(aggregations).join(', ')
    if (agg === null) map.report(`a metric with an expr needs an agg: ${known}`)
    else
      map.report(
        `agg must be one of ${known}, not ${agg}${didYouMean(agg, Object.keys(aggregations))}`,
        map.atKey('agg'),
      )
    return null
  }
  if (model === null) map.report('put this metric into a semantic model, or name its model')
  if (expr !== null && duration !== null) map.report('give either expr or duration', map.atKey('duration'))
  if (aggregation !== 'count' && expr === null && duration === null)
    map.report(`say what to aggregate: expr, such as expr: total_cents`)
  if (aggregation === 'percentile' && !(percentile !== null && percentile > 0 && percentile < 1))
    map.report('agg: percentile needs percentile: a number between 0 and 1')
  if (aggregation !== 'percentile' && percentile !== null)
    map.report('percentile is only for agg: percentile', map.atKey('percentile'))
  return {
    kind: 'simple',
    aggregation,
    expr: expr === '*' ? null : expr,
    duration,
    percentile,
    filters: map.texts('filter') ?? [],
    timeDimension: map.text('agg_time_dimension'),
  }
}

const readSegment = (map: YamlMap): FileSegment | null => {
  const naming = readNaming(map, 'a segment')
  const model = map.text('model')
  if (model === null) map.report('a segment needs a model: whose rows it is about')
  const segment = {
    where: map.texts('where') ?? [],
    past: map.texts('past') ?? [],
    related: [...readRelations(map, 'has', false), ...readRelations(map, 'has_not', true)],
  }
  if (segment.where.length + segment.past.length + segment.related.length === 0 && !map.isBroken())
    map.report('a segment needs a condition: where, past, has or has_not')
  return naming === null || model === null || map.isBroken() ? null : { ...naming, model, ...segment }
}

const readRelations = (map: YamlMap, key: 'has' | 'has_not', negated: boolean): readonly FileRelation[] =>
  map.maps(key, relationKeys, key).flatMap(one => {
    const relation = {
      model: one.text('model'),
      negated,
      where: one.texts('where') ?? [],
      days: one.number('within_days'),
    }
    const { model } = relation
    if (model !== null && !one.isBroken()) return [{ ...relation, model }]
    map.report(`write ${key} as { model: order, where: "...", within_days: 365 }`, map.atKey(key))
    return []
  })

const unitExpectation =
  'percent, fraction, count, second, minute, hour, day, money, none, a currency such as EUR, { currency: EUR, scale: 0.01 } or { suffix: kg }'

const readUnit = (map: YamlMap): FileUnit | null => {
  if (!map.has('unit')) return null
  if (!map.isMap('unit')) {
    const unit = map.text('unit')
    const found = unit === null ? null : unitNamed(unit)
    if (found === null) map.report(`unit must be ${unitExpectation}`, map.atKey('unit'))
    return found
  }
  const given = map.map('unit', ['currency', 'suffix', 'scale'], 'a unit')
  const [currency, suffix] = [given?.text('currency') ?? null, given?.text('suffix') ?? null]
  const scale = given?.number('scale') ?? 1
  if (given?.isBroken() !== true) {
    if (currency !== null && suffix === null && /^(?:[A-Z]{3}|unknown)$/.test(currency))
      return { kind: 'currency', code: currency === 'unknown' ? null : currency, scale }
    if (suffix !== null && currency === null) return { kind: 'other', suffix, scale }
  }
  map.report(`unit must be ${unitExpectation}`, map.atKey('unit'))
  return null
}

const unitNamed = (name: string): FileUnit | null => {
  if (name === 'none' || name === 'percent' || name === 'fraction' || name === 'count')
    return name === 'none'
      ? 'none'
      : name === 'count'
        ? { kind: 'count' }
        : { kind: 'percent', scale: name === 'percent' ? 1 : 100 }
  if (name === 'money') return { kind: 'currency', code: null, scale: 1 }
  const duration = durationUnits.find(unit => unit === name.replace(/s$/, ''))
  if (duration !== undefined) return { kind: 'duration', unit: duration }
  return /^[A-Z]{3}$/.test(name) ? { kind: 'currency', code: name, scale: 1 } : null
}
