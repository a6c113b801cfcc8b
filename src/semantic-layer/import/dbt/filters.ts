import { identifier } from '../import-names.ts'
import { untranslatable } from '../imported-layer.ts'
import { checkRowLevel, inBrackets, partsText, qualified, type SqlPart, sqlParts } from '../sql-parts.ts'
import { type DbtContext, dbtParts } from './import-dbt.ts'
import type { DbtModel } from './manifest.ts'

/** A reference in a filter: `{{ TimeDimension('order__ordered_at', 'day') }}`. */
const template = /\{\{\s*(\w+)\(\s*((?:[^{}]|\{(?!\{)|\}(?!\}))*?)\)\s*((?:\.\w+\([^)]*\)\s*)*)\}\}/g

/** Filters of a metric over a model as SQL over its columns and those of models that it joins. */
export const dbtFilters = (
  context: DbtContext,
  model: DbtModel,
  templates: readonly string[] | null | undefined,
  timeDimension: string | null,
): readonly string[] =>
  (templates ?? []).map(text => {
    const parts: SqlPart[] = []
    let end = 0
    for (const match of text.matchAll(template)) {
      parts.push(...sqlParts(text.slice(end, match.index)))
      const [whole, kind = '', parameters = '', calls = ''] = match
      parts.push(...inBrackets(referenced(context, model, { kind, parameters, calls }, timeDimension)))
      end = match.index + whole.length
    }
    parts.push(...sqlParts(text.slice(end)))
    const sql = partsText(checkRowLevel(parts))
    if (/\{\{|\{%/.test(sql))
      untranslatable(
        `Its filter has a template that Querent does not know: ${text.trim()}. Write it as plain SQL.`,
      )
    return sql
  })

interface TemplateCall {
  readonly kind: string
  readonly parameters: string
  /** `.grain('month')` and the like. */
  readonly calls: string
}

const referenced = (
  context: DbtContext,
  model: DbtModel,
  { kind, parameters, calls }: TemplateCall,
  timeDimension: string | null,
): readonly SqlPart[] => {
  const values = [...parameters.matchAll(/'([^']*)'|"([^"]*)"/g)].map(match => match[1] ?? match[2] ?? '')
  const [element = ''] = values
  if (kind === 'Metric')
    return untranslatable(
      `Its filter uses the metric ${element}. Make it a segment or a column, and filter by that.`,
    )
  if (kind !== 'Dimension' && kind !== 'TimeDimension' && kind !== 'Entity')
    return untranslatable(`Its filter calls ${kind}(), which Querent does not run. Write it as plain SQL.`)
  const grain =
    /\.(?:grain|date_part)\(\s*['"](\w+)/.exec(calls)?.[1] ??
    (kind === 'TimeDimension' ? values[1] : undefined)
  const pathText = /entity_path\s*=\s*\[([^\]]*)\]/.exec(parameters)?.[1]
  const entityPath =
    pathText === undefined ? [] : [...pathText.matchAll(/['"]([^'"]+)/g)].map(match => match[1] ?? '')
  const path = element.split('__')
  const name = path.pop() ?? element
  if (name === 'metric_time')
    return timeDimension === null
      ? untranslatable('Its filter is on metric_time, and the model has no time dimension.')
      : dimensionParts(model, timeDimension, grain)
  const place = placeOf(context, model, [...entityPath, ...path], name, kind)
  const parts = kind === 'Entity' ? entityParts(place.model, name) : dimensionParts(place.model, name, grain)
  return place.qualifier === null ? parts : qualified(parts, place.qualifier)
}

interface Place {
  readonly model: DbtModel
  /** Null for the metric's own model. */
  readonly qualifier: string | null
}

const placeOf = (
  context: DbtContext,
  model: DbtModel,
  entities: readonly string[],
  name: string,
  kind: string,
): Place => {
  const has = (candidate: DbtModel): boolean =>
    kind === 'Entity'
      ? candidate.entities.some(entity => entity.name === name)
      : candidate.dimensions.some(dimension => dimension.name === name)
  const path = entities.filter((entity, at) => entity !== entities[at - 1])
  if (path.length === 0 && has(model)) return { model, qualifier: null }
  let places: readonly Place[] = [{ model, qualifier: null }]
  for (const [at, entity] of path.entries()) {
    places = places.flatMap((place): readonly Place[] => {
      const isOwn =
        place.model.primary_entity === entity ||
        place.model.entities.some(own => own.name === entity && own.type !== 'foreign')
      const further = (context.joins.get(place.model) ?? [])
        .filter(join => join.entity === entity)
        .map(join => ({
          model: join.target,
          // Joins have names on the first step only; what is further away goes by the name of its model.
          qualifier: at === 0 || place.qualifier === null ? join.join.name : join.join.to,
        }))
      return [...(isOwn ? [place] : []), ...further]
    })
  }
  const found = places.find(place => has(place.model))
  return (
    found ??
    untranslatable(
      `Its filter uses ${[...path, name].join('__')}, which no join from ${model.name} leads to. Check the entities of both models.`,
    )
  )
}

const entityParts = (model: DbtModel, name: string): readonly SqlPart[] => {
  const entity = model.entities.find(one => one.name === name)
  return dbtParts(entity?.expr, name)
}

const order = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']

const dimensionParts = (model: DbtModel, name: string, grain: string | undefined): readonly SqlPart[] => {
  const dimension = model.dimensions.find(one => one.name === name)
  if (dimension === undefined)
    return untranslatable(`Its filter uses ${name}, which ${model.name} does not have.`)
  const own = dimension.type_params?.time_granularity?.toLowerCase() ?? 'day'
  if (grain && order.indexOf(grain.toLowerCase()) > Math.max(order.indexOf(own), order.indexOf('day')))
    untranslatable(
      `Its filter compares ${name} by ${grain}. Write the condition with dates instead, such as ${name} >= '2026-01-01'.`,
    )
  return dbtParts(dimension.expr, name)
}

/** The time dimension that a metric of a model goes by, as a name in dbt. */
export const dbtTimeDimension = (model: DbtModel, own: string | null | undefined): string | null =>
  own ?? model.defaults?.agg_time_dimension ?? null

/** The model of dbt that a translated one was made of. */
export const dbtModelOf = (context: DbtContext, name: string): DbtModel | undefined =>
  context.manifest.models.find(model => identifier(model.name) === name)
