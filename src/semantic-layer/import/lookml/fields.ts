import type { Dimension, DurationUnit } from '../../../domain/metrics/semantic-layer.ts'
import type { FieldReferences } from '../field-references.ts'
import { referencePath } from '../field-references.ts'
import { identifier, unitOfFormat } from '../import-names.ts'
import { untranslatable } from '../imported-layer.ts'
import { dimensionOf } from '../make-model.ts'
import { partsExpression } from '../sql-parts.ts'
import { blocksOf, type LookmlBlock, listOf, textOf } from './project.ts'

/** The row-level fields of a view. */
export const lookmlFields = (
  view: LookmlBlock,
): readonly { readonly kind: string; readonly block: LookmlBlock }[] => [
  ...blocksOf(view, 'dimension').map(block => ({ kind: 'dimension', block })),
  ...blocksOf(view, 'dimension_group').map(block => ({ kind: 'dimension group', block })),
]

const isDuration = (group: LookmlBlock): boolean => textOf(group, 'type') === 'duration'

/** The SQL of a dimension; null if the view does not have it. Parts of a group are functions of its moment. */
export const lookmlSqlOf = (view: LookmlBlock, field: string): string | null => {
  const dimension = blocksOf(view, 'dimension').find(({ name }) => name === field)
  if (dimension) return dimensionSql(dimension)
  for (const group of blocksOf(view, 'dimension_group')) {
    if (isDuration(group)) continue
    const sql = textOf(group, 'sql') ?? `\${TABLE}.${group.name}`
    if (field === group.name) return sql
    if (field.startsWith(`${group.name}_`)) {
      const part = partOfGroup(field.slice(group.name.length + 1), sql)
      if (part !== null) return part
    }
  }
  return null
}

const partOfGroup = (timeframe: string, sql: string): string | null => {
  switch (timeframe) {
    case 'raw':
    case 'time':
    case 'second':
    case 'millisecond':
    case 'microsecond':
      return sql
    case 'date':
      return `CAST(${sql} AS DATE)`
    case 'year':
    case 'quarter_of_year':
    case 'month_num':
    case 'day_of_month':
    case 'hour_of_day':
      return `EXTRACT(${{ year: 'YEAR', quarter_of_year: 'QUARTER', month_num: 'MONTH', day_of_month: 'DAY', hour_of_day: 'HOUR' }[timeframe]} FROM ${sql})`
    case 'week':
    case 'month':
    case 'quarter':
    case 'hour':
    case 'minute':
    case 'month_name':
    case 'day_of_week':
    case 'day_of_week_index':
    case 'day_of_year':
    case 'week_of_year':
    case 'time_of_day':
      return untranslatable(
        `It uses the ${timeframe.replaceAll('_', ' ')} of a date, which each database writes in its own way. Use the date itself.`,
      )
    default:
      return null
  }
}

const dimensionSql = (dimension: LookmlBlock): string => {
  const cases = blocksOf(dimension, 'case')[0]
  if (cases) {
    const branches = blocksOf(cases, 'when').map(
      when =>
        `WHEN ${textOf(when, 'sql') ?? ''} THEN '${(textOf(when, 'label') ?? '').replaceAll("'", "''")}'`,
    )
    const other = textOf(cases, 'else')
    return `CASE ${branches.join(' ')}${other === null ? '' : ` ELSE '${other.replaceAll("'", "''")}'`} END`
  }
  const sql = textOf(dimension, 'sql') ?? `\${TABLE}.${dimension.name}`
  const type = textOf(dimension, 'type')
  return type === 'tier' || type === 'bin' ? tierSql(dimension, sql) : sql
}

/** Ranges of a number as texts: `Below 10`, `10 to 19`, `20 or above`. */
const tierSql = (dimension: LookmlBlock, sql: string): string => {
  const bounds = [...listOf(dimension, 'tiers'), ...listOf(dimension, 'bins')].map(Number)
  if (bounds.length === 0 || bounds.some(Number.isNaN))
    return untranslatable('Its tiers are not a list of numbers.')
  const isInteger = /integer/.test(textOf(dimension, 'style') ?? '')
  const ranges = bounds.slice(1).map((high, at) => {
    const low = bounds[at] ?? high
    const label = isInteger ? `${low} to ${high - 1}` : `${low} to under ${high}`
    return `WHEN (${sql}) < ${high} THEN '${label}'`
  })
  return `CASE WHEN (${sql}) < ${bounds[0]} THEN 'Below ${bounds[0]}' ${ranges.join(' ')} WHEN (${sql}) >= ${bounds.at(-1)} THEN '${bounds.at(-1)} or above' END`
}

/** The type of a field as one of the layer. */
export const lookmlType = (view: LookmlBlock, field: string): Dimension['type'] => {
  const dimension = blocksOf(view, 'dimension').find(({ name }) => name === field)
  if (dimension) {
    const type = textOf(dimension, 'type') ?? 'string'
    if (type === 'yesno') return 'boolean'
    if (/^(number|int|duration_\w+)$/.test(type)) return 'number'
    if (/^date(_date|_raw)?$/.test(type)) return 'date'
    if (/^(time|date_time|timestamp|date_(second|minute|hour))$/.test(type)) return 'timestamp'
    return 'categorical'
  }
  const group = blocksOf(view, 'dimension_group').find(
    ({ name }) => field === name || field.startsWith(`${name}_`),
  )
  if (group === undefined) return 'categorical'
  if (isDuration(group)) return 'number'
  const timeframe = field.slice(group.name.length + 1)
  if (/^(year|month_num|quarter_of_year|day_of_month|hour_of_day)$/.test(timeframe)) return 'number'
  const frames = listOf(group, 'timeframes')
  const isDay = /^(no|false)$/.test(textOf(group, 'convert_tz') ?? '') && textOf(group, 'datatype') === 'date'
  const hasTime =
    frames.length === 0 || frames.some(frame => /^(time|hour|minute|second|raw|time_of_day)/.test(frame))
  return isDay || textOf(group, 'datatype') === 'date' || !hasTime ? 'date' : 'timestamp'
}

/** A dimension or dimension group as a dimension of the layer. */
export const lookmlDimension = (
  view: LookmlBlock,
  kind: string,
  block: LookmlBlock,
  references: FieldReferences,
): Dimension => {
  const type = textOf(block, 'type') ?? 'string'
  const naming = {
    name: block.name,
    label: textOf(block, 'label') ?? null,
    description: textOf(block, 'description'),
  }
  if (kind === 'dimension group' && isDuration(block)) return durationDimension(view, block, naming)
  if (kind === 'dimension' && type === 'distance')
    untranslatable('It is a distance between two places. Add it as a column of a view.')
  if (kind === 'dimension' && /^duration_/.test(type))
    untranslatable('It is a time between two moments. Make it a dimension group of type duration.')
  const own = lookmlType(view, block.name)
  const parts = references.field(view.name, block.name)
  const isKey = textOf(block, 'primary_key') === 'yes'
  return dimensionOf({
    ...naming,
    type: own,
    expression: partsExpression(parts),
    unit: own === 'number' ? lookmlUnit(block) : null,
    ...(isKey ? { isKey: true } : {}),
  })
}

const durationUnits = ['second', 'minute', 'hour', 'day'] as const

/** The time between two date dimensions, in the unit that is asked for first. */
const durationDimension = (
  view: LookmlBlock,
  group: LookmlBlock,
  naming: { readonly name: string; readonly label: string | null; readonly description: string | null },
): Dimension => {
  const [from, until] = ['sql_start', 'sql_end'].map(key => momentNamed(view, textOf(group, key) ?? ''))
  const intervals = listOf(group, 'intervals')
  const unit: DurationUnit =
    [...durationUnits].reverse().find(one => intervals.length === 0 || intervals.includes(one)) ?? 'day'
  if (!from || !until)
    return untranslatable('It starts or ends at something else than a date dimension of its view.')
  return dimensionOf({
    ...naming,
    type: 'number',
    expression: { kind: 'duration', from, until, unit },
    unit: { kind: 'duration', unit },
    isKey: false,
  })
}

/** The date dimension that `${created_raw}` means. */
const momentNamed = (view: LookmlBlock, sql: string): string | null => {
  const reference = /^\$\{([\w.]+)\}$/.exec(sql.trim())?.[1]
  const groups = blocksOf(view, 'dimension_group').filter(group => !isDuration(group))
  const field = reference === undefined ? undefined : referencePath(reference).split('.').at(-1)
  const group = groups.find(({ name, body }) =>
    field === undefined
      ? body.some(entry => entry.key === 'sql' && entry.value === sql.trim())
      : field === name || new RegExp(`^${name}_(raw|time|date|second|minute|hour)$`).test(field),
  )
  if (group) return identifier(group.name)
  const dimension = blocksOf(view, 'dimension').find(
    ({ name }) => name === field && /^(date|timestamp)$/.test(lookmlType(view, name)),
  )
  return dimension ? identifier(dimension.name) : null
}

/** The unit that a field's format says. */
export const lookmlUnit = (block: LookmlBlock): Dimension['unit'] => {
  const named = textOf(block, 'value_format_name')
  if (named !== null && /^(usd|eur|gbp|percent)(_\d)?$/.test(named)) return unitOfFormat(named)
  return unitOfFormat(textOf(block, 'value_format'))
}

/** A place as two numbers, which is all that a layer can say of it. */
export const lookmlPlace = (
  view: LookmlBlock,
  block: LookmlBlock,
  references: FieldReferences,
): readonly Dimension[] =>
  ['latitude', 'longitude'].map(part => {
    const sql = textOf(block, `sql_${part}`) ?? untranslatable(`It has no sql_${part}.`)
    return dimensionOf({
      name: `${block.name}_${part}`,
      description: textOf(block, 'description'),
      type: 'number',
      expression: partsExpression(references.rows(view.name, sql)),
      isKey: false,
    })
  })
