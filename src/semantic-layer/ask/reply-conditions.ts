import type { FilterValue, MetricFilter } from '../../domain/metrics/metric-query.ts'
import type { ReplyCondition, ReplyTest } from '../../domain/metrics/metric-reading.ts'
import type { Dimension } from '../../domain/metrics/semantic-layer.ts'
import type { FindValues, ValueMatch } from '../../domain/question-context.ts'
import { foldText } from '../../lib/fold-text.ts'
import { isPersonalColumn } from '../../lib/personal-columns.ts'
import { nearestName } from '../files/nearest-name.ts'
import { scaled } from '../interpret/draft/query-draft.ts'
import { unitOfUse } from '../interpret/finish/layer-facts.ts'
import { isDate, type NamedDimension, type ReplyNames, ReplyProblem } from './reply-names.ts'

/** What is known of the texts that a reply may compare with. */
export interface KnownTexts {
  readonly question: string
  readonly matches: readonly ValueMatch[]
  readonly findValues: FindValues
}

/** A text is a name or a code; what is longer was not asked about. */
const LONGEST_TEXT = 200

const MOST_VALUES = 50

const MOST_CONDITIONS = 20

/** Reads the conditions of a reply on the rows of a model. */
export const readConditions = (
  conditions: readonly ReplyCondition[],
  base: string,
  names: ReplyNames,
  texts: KnownTexts,
): readonly MetricFilter[] => {
  if (conditions.length > MOST_CONDITIONS)
    throw new ReplyProblem(`More than ${MOST_CONDITIONS} conditions are too many`)
  const read = (tests: readonly ReplyTest[], at: string): readonly MetricFilter[] =>
    readConditions(tests, at, names, texts)
  return conditions.map((condition): MetricFilter => {
    if ('any' in condition) return { kind: 'any', filters: read(condition.any, base) }
    if ('related' in condition) {
      const { name } = names.model(condition.related)
      return {
        kind: 'related',
        model: name,
        filters: read(condition.where, name),
        negated: condition.are === 'none',
      }
    }
    if ('each' in condition) {
      const { each, figure, is, value } = condition
      const metric = names.figure(figure)
      const stored = scaled(value, { unit: unitOfUse(metric, names) })
      return {
        kind: 'measured',
        of: names.model(each).name,
        metric,
        operator: is,
        value: stored,
        period: null,
      }
    }
    return readTest(condition, base, names, texts)
  })
}

const readTest = (
  { at: path, is, values }: ReplyTest,
  base: string,
  names: ReplyNames,
  texts: KnownTexts,
): MetricFilter => {
  if (values.length > MOST_VALUES) throw new ReplyProblem(`More than ${MOST_VALUES} values are too many`)
  const segment = names.segment(path)
  if (segment !== null)
    return { kind: 'segment', segment: segment.name, via: null, negated: is === 'not in' || is === '<>' }
  const found = names.dimension(path)
  const at = names.ref(path, base)
  const { dimension } = found
  switch (is) {
    case 'missing':
    case 'present':
      return { kind: 'missing', at, negated: is === 'present' }
    case 'contains':
    case 'starts':
    case 'ends': {
      if (dimension.type !== 'categorical')
        throw new ReplyProblem(`${path} is no text, so it cannot be searched`)
      const text = knownPart(onlyOf(values, path), found, texts)
      const place = { contains: 'anywhere', starts: 'start', ends: 'end' } as const
      return { kind: 'match', at, text, place: place[is], negated: false }
    }
    case '=':
    case 'in':
    case '<>':
    case 'not in': {
      const negated = is === '<>' || is === 'not in'
      const other = values.length === 1 ? otherDimension(values[0], found, names, base) : null
      if (other !== null)
        return { kind: 'compare-dimensions', left: at, operator: negated ? '<>' : '=', right: other }
      if (values.length === 0) throw new ReplyProblem(`The condition on ${path} has no values`)
      const read = values.map(value => literal(value, found, names, texts))
      return { kind: 'values', at, values: read, negated }
    }
    default: {
      const value = onlyOf(values, path)
      const other = otherDimension(value, found, names, base)
      if (other !== null) return { kind: 'compare-dimensions', left: at, operator: is, right: other }
      if (dimension.type === 'categorical' || dimension.type === 'boolean')
        throw new ReplyProblem(`${path} has no order, so it cannot be compared with ${is}`)
      return { kind: 'compare', at, operator: is, value: literal(value, found, names, texts) }
    }
  }
}

const onlyOf = (values: ReplyTest['values'], path: string): FilterValue => {
  const [value, ...more] = values
  if (value === undefined || more.length > 0)
    throw new ReplyProblem(`The condition on ${path} needs one value`)
  return value
}

/** A date or number that is compared with another of the same row, which is named instead of a value. */
const otherDimension = (
  value: FilterValue | undefined,
  { dimension }: NamedDimension,
  names: ReplyNames,
  base: string,
) => {
  const canBe = isDate(dimension) || dimension.type === 'number'
  if (!canBe || typeof value !== 'string' || !/^[a-z][\w-]*\.[\w.-]+$/i.test(value)) return null
  const other = names.dimension(value)
  if (isDate(other.dimension) !== isDate(dimension))
    throw new ReplyProblem(`${value} cannot be compared with ${dimension.name}`)
  return names.ref(value, base)
}

/** A value as the column stores it. */
const literal = (
  value: FilterValue,
  at: NamedDimension,
  { index }: ReplyNames,
  texts: KnownTexts,
): FilterValue => {
  const { dimension, model } = at
  const wrong = (what: string): never => {
    throw new ReplyProblem(`${model.name}.${dimension.name} is ${what}, which ${cut(String(value))} is not`)
  }
  switch (dimension.type) {
    case 'boolean':
      return typeof value === 'boolean' ? value : wrong('true or false')
    case 'number': {
      const number = typeof value === 'number' ? value : asNumber(String(value))
      return number === null ? wrong('a number') : scaled(number, dimension)
    }
    case 'date':
    case 'timestamp':
      return typeof value === 'string' && isDay(value) ? value : wrong('a day such as 2026-11-20')
    case 'categorical': {
      const { expression } = dimension
      const { table, columns } = index.models.get(model.name) ?? {}
      const column = expression.kind === 'column' ? columns?.get(expression.column) : undefined
      const isNumeric = column !== undefined && ['integer', 'decimal', 'float'].includes(column.kind)
      if (isNumeric) return asNumber(String(value)) ?? wrong('a number')
      const isPersonal = table !== undefined && column !== undefined && isPersonalColumn(column, table)
      return knownText(String(value), at, texts, { isPersonal })
    }
    default: {
      const never: never = dimension.type
      return never
    }
  }
}

const asNumber = (text: string): number | null =>
  /^-?\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : null

/** Whether a text is a day of the calendar. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))

const cut = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text)

/**
 * A text that the database holds, in its spelling, or that the question has. Anything else was made up, by the model or by
 * the author of what it read. The problem says what is nearest, but of a personal dimension only what is there or not.
 */
const knownText = (
  text: string,
  at: NamedDimension,
  texts: KnownTexts,
  { isPersonal }: { readonly isPersonal: boolean },
): string => {
  const found = spellingOf(text, at, texts)
  if (found !== null) return found
  if (text.length <= LONGEST_TEXT && saysSo(text, texts)) return text
  const nearest = isPersonal ? null : nearestName(text, valuesOf(at, texts, text))
  throw new ReplyProblem(
    `${at.model.name}.${at.dimension.name} has no value ${cut(text)}${nearest === null ? '' : `; did you mean ${cut(nearest)}?`}`,
  )
}

/** A text to search for: a part of what the question or a known value has. */
const knownPart = (value: FilterValue, at: NamedDimension, texts: KnownTexts): string => {
  const text = String(value)
  const folded = foldText(text)
  const isKnown = folded !== '' && valuesOf(at, texts, text).some(one => foldText(one).includes(folded))
  if (text.length <= LONGEST_TEXT && (isKnown || saysSo(text, texts))) return text
  throw new ReplyProblem(`The question does not have the text ${cut(text)}`)
}

const saysSo = (text: string, { question }: KnownTexts): boolean =>
  text !== '' && foldText(question).includes(foldText(text))

const spellingOf = (text: string, at: NamedDimension, texts: KnownTexts): string | null => {
  const known = valuesOf(at, texts, text)
  const folded = foldText(text)
  return known.find(one => one === text) ?? known.find(one => foldText(one) === folded) ?? null
}

/** Values of a dimension that are known: its own, and what the value index has for a text. */
const valuesOf = (
  { model, dimension }: { readonly model: NamedDimension['model']; readonly dimension: Dimension },
  { matches, findValues }: KnownTexts,
  text: string,
): readonly string[] => {
  const { expression } = dimension
  const own = (dimension.values ?? []).filter(value => typeof value === 'string')
  if (expression.kind !== 'column') return own
  const { column } = expression
  const { schema, name } = model.table
  const isHere = (one: { readonly table: string; readonly column: string }): boolean =>
    one.column === column && (one.table === name || one.table === `${schema}.${name}`)
  const columns = [name, ...(schema === null ? [] : [`${schema}.${name}`])].map(table => ({ table, column }))
  return [
    ...own,
    ...[...matches, ...findValues(text.slice(0, LONGEST_TEXT), { columns })]
      .filter(isHere)
      .map(({ value }) => value),
  ]
}
