import { z } from 'zod'
import type { SourceFile } from '../imported-layer.ts'
import { type Problems, readJson, readShape, readYaml } from '../source-files.ts'

const text = z.string().nullish()

/** Lists of YAML files; models that were written as JavaScript objects have records with names as keys. */
const listOf = <T extends z.ZodType>(item: T) =>
  z
    .preprocess(
      value =>
        value !== null && typeof value === 'object' && !Array.isArray(value)
          ? Object.entries(value).map(([name, one]) => ({ name, ...(one as object) }))
          : value,
      z.array(item),
    )
    .nullish()

const sql = z.union([z.string(), z.number()]).transform(String).nullish()

const filters = z.array(z.object({ sql })).nullish()

/** A format is a name, or an object that describes a link or a number. */
const format = z.preprocess(value => (typeof value === 'string' ? value : null), text).optional()

const naming = {
  name: z.string(),
  title: text,
  description: text,
  short_title: text,
  meta: z.unknown().optional(),
}

const dimension = z.object({
  ...naming,
  sql,
  type: z.string().nullish(),
  primary_key: z.boolean().nullish(),
  sub_query: z.boolean().nullish(),
  multi_stage: z.boolean().nullish(),
  case: z
    .object({
      when: z.array(z.object({ sql, label: z.unknown().optional() })).nullish(),
      switch: z.unknown().optional(),
      else: z.object({ label: z.unknown().optional() }).nullish(),
    })
    .nullish(),
  format,
  latitude: z.object({ sql }).nullish(),
  longitude: z.object({ sql }).nullish(),
})

const measure = z.object({
  ...naming,
  sql,
  type: z.string().nullish(),
  filters,
  format,
  currency: text,
  rolling_window: z
    .object({
      type: text,
      trailing: z.union([z.string(), z.number()]).nullish(),
      leading: z.union([z.string(), z.number()]).nullish(),
      offset: text,
      granularity: text,
    })
    .nullish(),
  multi_stage: z.boolean().nullish(),
  time_shift: z.unknown().optional(),
  case: z.unknown().optional(),
})

const segment = z.object({ ...naming, sql })

const join = z.object({ name: z.string(), sql, relationship: z.string().nullish() })

const cube = z.object({
  ...naming,
  sql,
  sql_table: text,
  sql_alias: text,
  extends: text,
  joins: listOf(join),
  dimensions: listOf(dimension),
  measures: listOf(measure),
  segments: listOf(segment),
})

const view = z.object({
  ...naming,
  cubes: z.array(z.object({ join_path: z.string() })).nullish(),
  dimensions: listOf(dimension),
  measures: listOf(measure),
  segments: listOf(segment),
})

const modelFile = z.object({
  cubes: z.array(cube).nullish(),
  views: z.array(view).nullish(),
})

export type Cube = z.infer<typeof cube>
export type CubeDimension = z.infer<typeof dimension>
export type CubeMeasure = z.infer<typeof measure>
export type CubeView = z.infer<typeof view>
export type CubeJoin = z.infer<typeof join>

export interface CubeProject {
  readonly cubes: readonly Cube[]
  readonly views: readonly CubeView[]
  /** Files that only Cube can read. */
  readonly templates: readonly string[]
}

/** Reads model files (YAML) and answers of `/v1/meta` (JSON). */
export const readCubeProject = (files: readonly SourceFile[], problems: Problems): CubeProject => {
  const cubes: Cube[] = []
  const views: CubeView[] = []
  const templates: string[] = []
  for (const file of files) {
    // A template that writes the file; single values can have one as well, those are looked at later.
    if (/\{%/.test(file.text)) {
      templates.push(file.name)
      continue
    }
    const isJson = /^\s*\{/.test(file.text) && file.name.endsWith('.json')
    const values = isJson ? [readJson(file, problems)] : (readYaml(file, problems) ?? [])
    for (const value of values) {
      if (value === null) continue
      const shaped = isJson ? fromMeta(value) : withSnakeCase(value)
      const read = readShape(modelFile, shaped, file.name, problems)
      cubes.push(...(read?.cubes ?? []))
      views.push(...(read?.views ?? []))
      if (read && !read.cubes && !read.views)
        problems.add(
          file.name,
          'has neither "cubes" nor "views". Pass model files, or the answer of /v1/meta.',
        )
    }
  }
  return { cubes: withExtended(cubes), views, templates }
}

/** Older models write `sqlTable`, newer ones `sql_table`. */
const withSnakeCase = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withSnakeCase)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key.replace(/[a-z][A-Z]/g, pair => `${pair[0]}_${pair[1]?.toLowerCase()}`),
      key === 'meta' ? one : withSnakeCase(one),
    ]),
  )
}

/** The answer of `/v1/meta` as a model file. Members have the name of their cube in front, and SQL is a template literal. */
const fromMeta = (value: unknown): unknown => {
  const cubes = isRecord(value) && Array.isArray(value.cubes) ? value.cubes.filter(isRecord) : null
  if (cubes === null) return value
  const member = (one: unknown): unknown => {
    if (!isRecord(one)) return one
    const { name, title: _full, shortTitle: title, type, aggType, primaryKey, ...rest } = one
    return {
      ...rest,
      name: typeof name === 'string' ? name.slice(name.indexOf('.') + 1) : name,
      title,
      type: aggType ?? type,
      ...(primaryKey === undefined ? {} : { primary_key: primaryKey }),
    }
  }
  const list = (items: unknown): unknown => (Array.isArray(items) ? items.map(member) : items)
  const shaped = cubes.map(
    (one): Record<string, unknown> => ({
      ...one,
      dimensions: list(one.dimensions),
      measures: list(one.measures),
      segments: list(one.segments),
    }),
  )
  const isView = (one: { readonly type?: unknown }): boolean => one.type === 'view'
  return withSnakeCase({
    cubes: literals(shaped.filter(one => !isView(one))),
    // Members of views are those of cubes.
    views: shaped.filter(isView).map(({ name, title }) => ({ name, title })),
  })
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** SQL in JavaScript's backticks as text. */
const literals = (value: unknown, key = ''): unknown => {
  if (Array.isArray(value)) return value.map(one => literals(one))
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, literals(one, name)]))
  if (typeof value !== 'string' || !/^(sql|sqlTable)$/.test(key)) return value
  const body = value.replace(/^[^`'"]*=>\s*/, '').trim()
  return /^`[^`]*`$|^'[^']*'$/.test(body) && !/^`[\w.-]+`$/.test(body)
    ? body.slice(1, -1)
    : plainLiteral(body)
}

/** A single word in backticks is a literal as well. */
const plainLiteral = (body: string): string => (/^`[^`]*`$/.test(body) ? body.slice(1, -1) : body)

/** Cubes with what they inherit. */
const withExtended = (cubes: readonly Cube[]): readonly Cube[] => {
  const byName = new Map(cubes.map(one => [one.name, one]))
  const complete = (one: Cube, within: readonly string[]): Cube => {
    const base = one.extends ? byName.get(one.extends.replace(/^\$?\{|\}$/g, '')) : undefined
    if (base === undefined || within.includes(base.name)) return one
    const parent = complete(base, [...within, one.name])
    const merged = <T extends { readonly name: string }>(
      own: readonly T[] | null | undefined,
      inherited: readonly T[] | null | undefined,
    ): T[] => [
      ...(inherited ?? []).filter(item => !own?.some(other => other.name === item.name)),
      ...(own ?? []),
    ]
    return {
      ...one,
      sql: one.sql ?? (one.sql_table ? null : parent.sql),
      sql_table: one.sql_table ?? (one.sql ? null : parent.sql_table),
      joins: merged(one.joins, parent.joins),
      dimensions: merged(one.dimensions, parent.dimensions),
      measures: merged(one.measures, parent.measures),
      segments: merged(one.segments, parent.segments),
    }
  }
  return cubes.map(one => complete(one, []))
}
