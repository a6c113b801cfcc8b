import type { Dimension } from '../../../domain/metrics/semantic-layer.ts'
import { type FieldReferences, makeFieldReferences, type ReferenceFormat } from '../field-references.ts'
import { descriptionOf, identifier, metricLabel } from '../import-names.ts'
import { type ImportedLayer, type SourceFile, untranslatable } from '../imported-layer.ts'
import { type DirectedJoin, type JoinGraph, joinColumns, makeJoinGraph } from '../join-conditions.ts'
import { type LayerDraft, makeLayerDraft } from '../layer-draft.ts'
import { dimensionOf, makeModel } from '../make-model.ts'
import { makeProblems } from '../source-files.ts'
import { namesIn, partsExpression, partsText, tableOf, tableOfQuery } from '../sql-parts.ts'
import { type Cube, type CubeDimension, type CubeJoin, readCubeProject } from './files.ts'
import { cubeUnit, translateCubeMeasures } from './measures.ts'

/**
 * Imports Cube models: YAML files, and answers of `/v1/meta`, which need `?extended=true` to have SQL. What only makes
 * Cube faster or limits access (pre-aggregations, refresh keys, policies) defines nothing and is left out.
 */
export const importCube = (files: readonly SourceFile[]): ImportedLayer => {
  const problems = makeProblems('Cube models')
  const project = readCubeProject(files, problems)
  problems.check()
  const draft = makeLayerDraft()
  const cubes = new Map(project.cubes.map(cube => [cube.name, cube]))
  const format: ReferenceFormat = {
    isOwnModel: reference => reference === 'CUBE' || reference === 'TABLE',
    hasModel: name => cubes.has(name),
    sqlOf: (cube, field) => sqlOfField(cubes.get(cube), field),
  }
  const usable = new Set(
    project.cubes.filter(cube => typeof tableIn(cube) !== 'string').map(({ name }) => identifier(name)),
  )
  const joins = makeJoinGraph(name => usable.has(name))
  const references = makeFieldReferences({
    ...format,
    checkModel: (from, to) => {
      const cube = cubes.get(to)
      if (cube && typeof tableIn(cube) === 'string')
        untranslatable(`It uses ${to}, and the cube ${to} was skipped.`)
      joins.checkReach(from, to)
    },
  })
  const context: CubeContext = { draft, cubes, references, joins }
  for (const name of project.templates)
    draft.skip(
      'file',
      name,
      'It is a template that Cube has to run. Pass the answer of /v1/meta?extended=true instead.',
    )
  for (const cube of cubes.values())
    for (const join of cube.joins ?? [])
      joins.read(`${cube.name}.${join.name}`, () => joinOf(cube, join, cubes, makeFieldReferences(format)))
  for (const cube of cubes.values()) addCube(cube, context)
  joins.report(draft)
  translateCubeMeasures(context)
  for (const cube of cubes.values()) addSegments(cube, context)
  for (const { name, cubes: included, dimensions, measures, segments } of project.views) {
    const own = [...(dimensions ?? []), ...(measures ?? []), ...(segments ?? [])]
    draft.translate('view', name, included || own.length === 0 ? 'Its members are those of its cubes.' : null)
    for (const member of own)
      draft.skip('view member', `${name}.${member.name}`, 'Views define nothing here. Move it to a cube.')
  }
  return draft.finish()
}

/** What is known while a project is translated. */
export interface CubeContext {
  readonly draft: LayerDraft
  readonly cubes: ReadonlyMap<string, Cube>
  readonly references: FieldReferences
  readonly joins: JoinGraph
}

const sqlOfField = (cube: Cube | undefined, field: string): string | null => {
  const dimension = cube?.dimensions?.find(one => one.name === field)
  if (dimension === undefined) return null
  if (dimension.sub_query) return untranslatable(`It uses ${field}, which is a measure of another cube.`)
  return dimension.case ? caseSql(dimension) : (dimension.sql ?? `{CUBE}.${field}`)
}

/** A dimension of cases as SQL. */
const caseSql = ({ case: cases }: CubeDimension): string => {
  const label = (value: unknown): string => {
    if (typeof value === 'string' || typeof value === 'number')
      return `'${String(value).replaceAll("'", "''")}'`
    const sql = value !== null && typeof value === 'object' ? Reflect.get(value, 'sql') : undefined
    return typeof sql === 'string' ? sql : untranslatable('Its cases have labels that are not texts.')
  }
  if (!cases?.when) return untranslatable('It switches between members when asked. Make a dimension of each.')
  const branches = cases.when.map(one => `WHEN ${one.sql ?? ''} THEN ${label(one.label)}`)
  return `CASE ${branches.join(' ')}${cases.else ? ` ELSE ${label(cases.else.label)}` : ''} END`
}

const joinOf = (
  cube: Cube,
  join: CubeJoin,
  cubes: ReadonlyMap<string, Cube>,
  references: FieldReferences,
): DirectedJoin => {
  const relationship = (join.relationship ?? 'many_to_one').toLowerCase()
  if (!cubes.has(join.name))
    untranslatable(`There is no cube ${join.name} in the files. Pass its file as well.`)
  if (!join.sql) untranslatable('It has no SQL. Ask /v1/meta with ?extended=true.')
  const pairs = joinColumns(references.rows(cube.name, join.sql ?? ''), identifier(join.name))
  const [own, other] = [identifier(cube.name), identifier(join.name)]
  return /one_to_many|hasmany|has_many/.test(relationship)
    ? {
        from: join.name,
        join: { name: own, to: own, columns: pairs.map(pair => ({ from: pair.other, to: pair.own })) },
      }
    : {
        from: cube.name,
        join: { name: other, to: other, columns: pairs.map(pair => ({ from: pair.own, to: pair.other })) },
      }
}

const addCube = (cube: Cube, { draft, references, joins }: CubeContext): void => {
  const table = tableIn(cube)
  const dimensions: Dimension[] = []
  for (const dimension of cube.dimensions ?? [])
    draft.item('dimension', `${cube.name}.${dimension.name}`, () => {
      if (typeof table === 'string') untranslatable(`Its cube ${cube.name} was skipped.`)
      if (dimension.type === 'geo') {
        dimensions.push(...placeFrom(cube, dimension, references))
        return 'It is two dimensions, latitude and longitude.'
      }
      dimensions.push(dimensionFrom(cube, dimension, references))
      return null
    })
  draft.item('cube', cube.name, () => {
    if (typeof table === 'string') return untranslatable(table)
    const keys = (cube.dimensions ?? []).filter(one => one.primary_key)
    const own = joins.joinsOf(cube.name)
    const made = makeModel({
      name: cube.name,
      label: cube.title,
      description: cube.description,
      table,
      primaryKey: keys.flatMap(key => {
        const found = dimensions.find(({ name }) => name === identifier(key.name))?.expression
        return found?.kind === 'column' ? [found.column] : []
      }),
      timeDimension: null,
      dimensions:
        dimensions.length > 0
          ? dimensions
          : own.flatMap(join =>
              join.columns.map(({ from }) =>
                dimensionOf({
                  name: from,
                  type: 'categorical',
                  expression: { kind: 'column', column: from },
                  isKey: true,
                }),
              ),
            ),
      joins: own,
    })
    draft.models.set(made.name, made)
    return keys.some(key => !made.primaryKey.length && key)
      ? 'Its primary key is calculated, so it has none here.'
      : null
  })
}

/** The table of a cube, or why it has none. */
const tableIn = (cube: Cube): { readonly schema: string | null; readonly name: string } | string => {
  try {
    if (cube.sql_table) return tableOf(cube.sql_table)
    if (cube.sql) return tableOfQuery(cube.sql)
    return 'The file does not say its table. Pass the model files, or the answer of /v1/meta?extended=true.'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** A place as two numbers, which is all that a layer can say of it. */
const placeFrom = (cube: Cube, dimension: CubeDimension, references: FieldReferences): readonly Dimension[] =>
  (['latitude', 'longitude'] as const).map(part =>
    dimensionOf({
      name: `${dimension.name}_${part}`,
      description: dimension.description,
      type: 'number',
      expression: partsExpression(
        references.rows(cube.name, dimension[part]?.sql ?? untranslatable(`It has no SQL for its ${part}.`)),
      ),
      isKey: false,
    }),
  )

const dimensionFrom = (cube: Cube, dimension: CubeDimension, references: FieldReferences): Dimension => {
  const type = (dimension.type ?? 'string').toLowerCase()
  if (dimension.sub_query)
    untranslatable('It is a measure of another cube for each row. Add it as a column of a view.')
  if (dimension.multi_stage)
    untranslatable('It is calculated in several stages. Add it as a column of a view.')
  if (type === 'switch') untranslatable('It switches between members when asked. Make a dimension of each.')
  const parts = references.field(cube.name, dimension.name)
  return dimensionOf({
    name: dimension.name,
    label: dimension.title,
    description: dimension.description,
    type:
      type === 'number'
        ? 'number'
        : type === 'boolean'
          ? 'boolean'
          : type === 'time'
            ? 'timestamp'
            : 'categorical',
    expression: partsExpression(parts),
    unit: type === 'number' ? cubeUnit(dimension.format, null, parts.map(String).join('')) : null,
    ...(dimension.primary_key ? { isKey: true } : {}),
  })
}

const addSegments = (cube: Cube, { draft, references }: CubeContext): void => {
  for (const segment of cube.segments ?? [])
    draft.item('segment', `${cube.name}.${segment.name}`, () => {
      const model = draft.models.get(identifier(cube.name))
      if (model === undefined) return untranslatable(`Its cube ${cube.name} was skipped.`)
      if (!segment.sql) return untranslatable('It has no SQL. Ask /v1/meta with ?extended=true.')
      const parts = references.rows(cube.name, segment.sql)
      if (namesIn(parts).length === 0) untranslatable('Its condition names no column.')
      draft.addSegment({
        wanted: identifier(segment.name),
        label: metricLabel(segment.name, descriptionOf(segment.title)),
        synonyms: [],
        description: descriptionOf(segment.description),
        model: model.name,
        conditions: [{ kind: 'sql', text: partsText(parts) }],
      })
      return null
    })
}
