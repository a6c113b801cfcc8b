import { type Catalog, nameTables, type Table } from '../../domain/catalog.ts'
import type { ModelJoin, SemanticLayer, SemanticModel } from '../../domain/metrics/semantic-layer.ts'
import { type IndexedModel, indexLayer, type LayerIndex } from '../compile/layer-index.ts'
import type { FileModel, FileName } from '../files/layer-file.ts'
import { didYouMean } from '../files/nearest-name.ts'
import { columnWords, labelOf, pluralOf } from '../propose/names.ts'
import { columnNamed } from './check-expression.ts'
import type { LayerReport } from './layer-item.ts'
import { countOf, dateProblem, mergeDimensions } from './merge-dimensions.ts'
import { phraseKey, phrasesOf, wordOf } from './phrases.ts'
import { renameDimensions, renameModels } from './rename-parts.ts'

/** The catalog without the tables that files exclude. */
export const withoutTables = (
  catalog: Catalog,
  exclude: readonly FileName[],
  { problems }: LayerReport,
): Catalog => {
  if (exclude.length === 0) return catalog
  const hidden = new Set<Table>()
  for (const { name, at } of exclude) {
    const table = findTable(catalog, name)
    if (table === null) problems.push({ at, message: noTable(catalog, name) })
    else hidden.add(table)
  }
  const before = nameTables(catalog)
  const tables = catalog.tables.filter(table => !hidden.has(table))
  const after = nameTables({ tables })
  const renamed = new Map(tables.map(table => [before.get(table), after.get(table)] as const))
  const foreignKeys = catalog.foreignKeys.flatMap(key => {
    const [from, to] = [renamed.get(key.from.table), renamed.get(key.to.table)]
    return from === undefined || to === undefined
      ? []
      : [{ ...key, from: { ...key.from, table: from }, to: { ...key.to, table: to } }]
  })
  return { ...catalog, tables, foreignKeys }
}

const findTable = ({ tables }: Pick<Catalog, 'tables'>, text: string): Table | null => {
  const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
  return (
    tables.find(({ name }) => name === text) ??
    tables.find(
      ({ schema, name }) => same(name, text) || (schema !== null && same(`${schema}.${name}`, text)),
    ) ??
    null
  )
}

const noTable = ({ tables }: Catalog, name: string): string =>
  `there is no table ${name}${didYouMean(
    name,
    tables.map(table => table.name),
  )}`

/**
 * Puts the models of files over the proposed ones, field by field. A model may have another name than its proposal: then
 * everything that is proposed refers to it by the new name. `catalog` is the one of the proposal: a model for each table.
 */
export const mergeModels = (
  given: readonly FileModel[],
  proposal: SemanticLayer,
  catalog: Catalog,
  report: LayerReport,
): SemanticLayer => {
  const placed = placeModels(given, proposal, catalog, report)
  const renamed = renameModels(proposal, newNames(placed, proposal))
  const drafts = [...renamed.models]
  for (const { file, at } of placed) drafts[at] = mergeNaming(drafts[at]!, file, proposal.models[at]!.name)
  // Joins come first, since expressions may lead through them.
  const joined = indexLayer({ ...renamed, models: drafts }, catalog)
  for (const { file, at } of placed)
    drafts[at] = { ...drafts[at]!, joins: mergeJoins(drafts[at]!, file, joined, report) }
  const dimensionNames = new Map<string, Map<string, string>>()
  for (const { file, at } of placed) {
    const index = indexLayer({ ...renamed, models: drafts }, catalog)
    const { dimensions, names } = mergeDimensions(drafts[at]!, file, { index, catalog, report })
    drafts[at] = { ...drafts[at]!, dimensions }
    const known = dimensionNames.get(file.name) ?? new Map<string, string>()
    dimensionNames.set(file.name, new Map([...known, ...names]))
  }
  const consistent = renameDimensions({ ...renamed, models: drafts }, dimensionNames)
  const models = [...consistent.models]
  const index = indexLayer(consistent, catalog)
  for (const { file, at } of placed) models[at] = mergeDefaults(models[at]!, file, index, report)
  reportClashingModels(models, placed, report)
  return { ...consistent, models }
}

interface PlacedModel {
  readonly file: FileModel
  /** The position of its table in the catalog. */
  readonly at: number
}

const placeModels = (
  given: readonly FileModel[],
  proposal: SemanticLayer,
  catalog: Catalog,
  { problems }: LayerReport,
): readonly PlacedModel[] => {
  const byTable = new Map<number, FileModel>()
  const byName = new Map<string, number>()
  return given.flatMap(file => {
    const wanted = file.table ?? file.name
    const table = findTable(catalog, wanted)
    const proposed = proposal.models.findIndex(({ name }) => name === wanted)
    const at = table !== null ? catalog.tables.indexOf(table) : file.table === null ? proposed : -1
    if (at === -1) {
      problems.push({ at: file.at, message: noTable(catalog, wanted) })
      return []
    }
    const same = byTable.get(at)
    const message =
      same !== undefined && same.name !== file.name
        ? `the table ${wanted} is the model ${same.name} already (${same.at.file}:${same.at.line}); use that name`
        : (byName.get(file.name) ?? at) !== at
          ? `there are two models called ${file.name}; rename one`
          : null
    if (message !== null) {
      problems.push({ at: file.at, message })
      return []
    }
    byTable.set(at, file)
    byName.set(file.name, at)
    return [{ file, at }]
  })
}

/** New names of models: those that files give, and other ones for proposals whose name a file takes. */
const newNames = (placed: readonly PlacedModel[], { models }: SemanticLayer): ReadonlyMap<string, string> => {
  const names = new Map(placed.map(({ file, at }) => [models[at]!.name, file.name]))
  const taken = new Set([...names.values(), ...models.map(({ name }) => name)])
  for (const { name, table } of models) {
    if (names.has(name) || ![...names.values()].includes(name)) continue
    let other = table.name === name ? `${name}_2` : table.name
    for (let number = 2; taken.has(other); number++) other = `${table.name}_${number}`
    taken.add(other)
    names.set(name, other)
  }
  return new Map([...names].filter(([from, to]) => from !== to))
}

const mergeNaming = (model: SemanticModel, file: FileModel, proposedName: string): SemanticModel => {
  // A second file about the same model does not take its label back.
  const isRenamed = file.name !== proposedName && file.label === null && model.status === 'proposed'
  const label = file.label ?? (isRenamed ? labelOf(columnWords(file.name)) : model.label)
  const isOther = label !== model.label
  return {
    ...model,
    name: file.name,
    label,
    plural: file.plural ?? (isOther ? pluralOf(label.toLowerCase().split(' ')) : model.plural),
    synonyms: file.synonyms ?? model.synonyms,
    description: file.description ?? model.description,
    status: 'accepted',
  }
}

const mergeJoins = (
  model: SemanticModel,
  { joins }: FileModel,
  { models }: LayerIndex,
  { problems, items, broken }: LayerReport,
): readonly ModelJoin[] => {
  const own = models.get(model.name)
  const made = joins.flatMap(({ name, at, to, columns }): readonly ModelJoin[] => {
    const key = `join ${model.name}.${name}`
    if (broken.has(key) || own === undefined) return []
    const target = models.get(to)
    const message = target
      ? joinProblem(own, target, columns)
      : `there is no model ${to}${didYouMean(to, models.keys())}`
    if (message !== null || target === undefined) {
      problems.push({ at, message: message ?? '' })
      return []
    }
    const join = {
      name,
      to,
      columns: columns.map(pair => ({
        from: columnNamed(own, pair.from) ?? pair.from,
        to: columnNamed(target, pair.to) ?? pair.to,
      })),
    }
    const dimension = target.model.dimensions[0]
    if (dimension)
      items.push({
        key,
        at,
        isTerm: false,
        use: countOf(model.name, key, { model: to, dimension: dimension.name, via: [name] }),
      })
    return [join]
  })
  const names = new Set(made.map(({ name }) => name))
  return [...model.joins.filter(({ name }) => !names.has(name)), ...made]
}

const joinProblem = (
  own: IndexedModel,
  target: IndexedModel,
  columns: readonly { readonly from: string; readonly to: string }[],
): string | null => {
  for (const { from, to } of columns)
    for (const [side, column] of [
      [own, from],
      [target, to],
    ] as const)
      if (columnNamed(side, column) === null)
        return `the table ${side.table.name} has no column ${column}${didYouMean(column, side.columns.keys())}`
  const [only, second] = columns
  const key = target.table.primaryKey
  const isKey = key.length > 0 && key.every(column => columns.some(({ to }) => to === column))
  const profile = only && second === undefined ? target.columns.get(only.to)?.profile : null
  const rows = profile?.rowsRead ?? target.table.rowCount
  if (
    !isKey &&
    profile &&
    rows !== null &&
    rows !== undefined &&
    profile.distinctCount < rows * (1 - profile.nullShare)
  )
    return `a join must lead to one row, but ${target.table.name}.${only!.to} has values that come more than once; put the join into ${target.model.name}, or join by its key`
  return null
}

/** Key, names and date of a model, which refer to its columns and dimensions. */
const mergeDefaults = (
  model: SemanticModel,
  file: FileModel,
  index: LayerIndex,
  { problems }: LayerReport,
): SemanticModel => {
  const own = index.models.get(model.name)
  if (own === undefined) return model
  const fail = (message: string): null => {
    problems.push({ at: file.at, message })
    return null
  }
  const missing = (file.nameDimensions ?? []).find(name => !own.dimensions.has(name))
  const names =
    missing === undefined
      ? file.nameDimensions
      : fail(
          `name_dimensions: ${model.name} has no dimension ${missing}${didYouMean(missing, own.dimensions.keys())}`,
        )
  const noColumn = (file.primaryKey ?? []).find(column => columnNamed(own, column) === null)
  const primaryKey =
    noColumn === undefined
      ? file.primaryKey
      : fail(
          `primary_key: the table ${own.table.name} has no column ${noColumn}${didYouMean(noColumn, own.columns.keys())}`,
        )
  return {
    ...model,
    nameDimensions: names && names.length > 0 ? names : model.nameDimensions,
    primaryKey: primaryKey?.map(column => columnNamed(own, column) ?? column) ?? model.primaryKey,
    timeDimension:
      file.timeDimension === 'none'
        ? null
        : file.timeDimension !== null
          ? ((dateProblem(file.timeDimension, own, index) === null
              ? file.timeDimension
              : fail(`agg_time_dimension: ${dateProblem(file.timeDimension, own, index)}`)) ??
            model.timeDimension)
          : model.timeDimension,
  }
}

const reportClashingModels = (
  models: readonly SemanticModel[],
  placed: readonly PlacedModel[],
  { problems }: LayerReport,
): void => {
  const taken = new Map<string, string>()
  const seen = new Set<number>()
  for (const { file, at } of placed) {
    if (seen.has(at)) continue
    seen.add(at)
    const model = models[at]!
    for (const phrase of new Set([...phrasesOf(model), phraseKey(model.plural)])) {
      const other = taken.get(phrase)
      if (other === undefined) taken.set(phrase, model.name)
      else
        problems.push({
          at: file.at,
          message: `the models ${other} and ${model.name} are both called “${wordOf(model, phrase)}”; remove it from one of them`,
        })
    }
  }
}
