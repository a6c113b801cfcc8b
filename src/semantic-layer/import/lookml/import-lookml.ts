import type { Dimension } from '../../../domain/metrics/semantic-layer.ts'
import { type FieldReferences, makeFieldReferences, type ReferenceFormat } from '../field-references.ts'
import { identifier } from '../import-names.ts'
import { type ImportedLayer, type SourceFile, untranslatable } from '../imported-layer.ts'
import { type DirectedJoin, type JoinGraph, joinColumns, makeJoinGraph } from '../join-conditions.ts'
import { type LayerDraft, makeLayerDraft } from '../layer-draft.ts'
import { makeModel } from '../make-model.ts'
import { makeProblems } from '../source-files.ts'
import { checkTemplates, namesIn, tableOf, tableOfQuery } from '../sql-parts.ts'
import { lookmlDimension, lookmlFields, lookmlPlace, lookmlSqlOf } from './fields.ts'
import { translateLookmlMeasures } from './measures.ts'
import { blocksOf, type LookmlBlock, type LookmlProject, readLookmlProject, textOf } from './project.ts'

/**
 * Imports the views and explores of a LookML model. Dashboards, drill fields, links, aggregate tables and access grants
 * define nothing that a question asks for, and are left out.
 */
export const importLookml = (files: readonly SourceFile[]): ImportedLayer => {
  const problems = makeProblems('LookML')
  const project = readLookmlProject(files, problems)
  problems.check()
  const draft = makeLayerDraft()
  const aliases = aliasesOf(project)
  const viewNamed = (name: string): LookmlBlock | undefined =>
    project.views.get(name) ?? project.views.get(aliases.get(name) ?? '')
  const format: ReferenceFormat = {
    isOwnModel: reference => reference === 'TABLE',
    hasModel: name => viewNamed(name) !== undefined,
    sqlOf: (view, field) => {
      const found = viewNamed(view)
      return found ? lookmlSqlOf(found, field) : null
    },
  }
  const usable = new Set(
    [...project.views.values()]
      .filter(view => typeof tableIn(view) !== 'string')
      .map(({ name }) => identifier(name)),
  )
  const joins = makeJoinGraph(name => usable.has(name))
  const references = makeFieldReferences({
    ...format,
    checkModel: (from, to) => {
      const view = viewNamed(to)
      if (view && typeof tableIn(view) === 'string')
        untranslatable(`It uses ${to}, and the view ${view.name} was skipped.`)
      joins.checkReach(from, to)
    },
  })
  const inJoins = makeFieldReferences(format)
  const context: LookmlContext = { draft, project, viewNamed, references, joins }
  for (const explore of project.explores) readExplore(explore, context, inJoins)
  for (const view of project.views.values()) if (!project.templates.has(view.name)) addView(view, context)
  joins.report(draft)
  translateLookmlMeasures(context)
  return draft.finish()
}

export interface LookmlContext {
  readonly draft: LayerDraft
  readonly project: LookmlProject
  /** A view by its name, or by one that an explore joins it with. */
  readonly viewNamed: (name: string) => LookmlBlock | undefined
  readonly references: FieldReferences
  readonly joins: JoinGraph
}

/** Names that explores join views with: `join: billing_address { from: addresses }`. */
const aliasesOf = ({ explores }: LookmlProject): ReadonlyMap<string, string> =>
  new Map(
    explores.flatMap(explore => [
      ...[textOf(explore, 'from') ?? textOf(explore, 'view_name')].flatMap(view =>
        view === null ? [] : [[explore.name, view] as const],
      ),
      ...blocksOf(explore, 'join').flatMap(join => {
        const from = textOf(join, 'from')
        return from === null ? [] : [[join.name, from] as const]
      }),
    ]),
  )

const readExplore = (
  explore: LookmlBlock,
  { draft, joins, viewNamed }: LookmlContext,
  references: FieldReferences,
): void => {
  const base = textOf(explore, 'from') ?? textOf(explore, 'view_name') ?? explore.name
  draft.item('explore', explore.name, () => {
    if (viewNamed(base) === undefined)
      untranslatable(`There is no view ${base} in the files. Pass its file as well.`)
    return null
  })
  for (const key of [
    'sql_always_where',
    'sql_always_having',
    'always_filter',
    'conditionally_filter',
    'access_filter',
  ])
    if (explore.body.some(entry => entry.key === key))
      draft.skip(
        'explore filter',
        `${explore.name}.${key}`,
        'Filters of a whole explore are not kept. Add the condition to its measures, or make a view that has it.',
      )
  for (const join of blocksOf(explore, 'join'))
    joins.read(`${explore.name}.${join.name}`, () => joinOf(explore, base, join, { viewNamed, references }))
}

const joinOf = (
  explore: LookmlBlock,
  base: string,
  join: LookmlBlock,
  { viewNamed, references }: Pick<LookmlContext, 'viewNamed' | 'references'>,
): DirectedJoin => {
  const relationship = textOf(join, 'relationship') ?? 'many_to_one'
  const target = viewNamed(join.name)
  if (target === undefined)
    return untranslatable(`There is no view ${join.name} in the files. Pass its file as well.`)
  if (relationship === 'many_to_many')
    untranslatable('It joins many rows to many. Add a view of the table between them.')
  if (textOf(join, 'type') === 'cross') untranslatable('It is a cross join, which connects no rows.')
  const foreignKey = textOf(join, 'foreign_key')
  const condition =
    textOf(join, 'sql_on') ??
    (foreignKey === null
      ? null
      : `\${${qualifiedName(foreignKey, base)}} = \${${join.name}.${keyOf(target)}}`)
  if (condition === null)
    return untranslatable(
      textOf(join, 'sql') === null
        ? 'It has no condition. Add sql_on.'
        : 'It unnests or joins by hand-written SQL. Make a view of it in the database.',
    )
  const parts = references.rows(join.name, condition)
  const names = namesIn(parts)
  const others = [...new Set(names.flatMap(({ qualifier }) => qualifier ?? []))]
  const [other] = others
  if (other === undefined || others.length > 1)
    return untranslatable('Its condition uses more than two views. Join them one after the other.')
  const pairs = joinColumns(parts, other)
  // The other side is a view, or the explore or a join by its own name.
  const otherName =
    other === identifier(explore.name)
      ? base
      : ([...blocksOf(explore, 'join').map(({ name }) => name), base].find(
          name => identifier(name) === other,
        ) ?? other)
  const otherView = viewNamed(otherName)
  if (otherView === undefined) return untranslatable(`There is no view ${otherName} in the files.`)
  const isReversed = relationship === 'one_to_many'
  return isReversed
    ? {
        from: target.name,
        join: {
          name: identifier(otherName),
          to: identifier(otherView.name),
          columns: pairs.map(pair => ({ from: pair.own, to: pair.other })),
        },
      }
    : {
        from: otherView.name,
        join: {
          name: identifier(join.name),
          to: identifier(target.name),
          columns: pairs.map(pair => ({ from: pair.other, to: pair.own })),
        },
      }
}

const qualifiedName = (field: string, base: string): string =>
  field.includes('.') ? field.replace(/^\$\{|\}$/g, '') : `${base}.${field}`

const keyOf = (view: LookmlBlock): string =>
  blocksOf(view, 'dimension').find(dimension => textOf(dimension, 'primary_key') === 'yes')?.name ??
  untranslatable(`The view ${view.name} has no primary key to join by.`)

const addView = (view: LookmlBlock, { draft, references, joins }: LookmlContext): void => {
  const table = tableIn(view)
  const dimensions: Dimension[] = []
  const keys: string[] = []
  for (const { kind, block } of lookmlFields(view))
    draft.item(kind, `${view.name}.${block.name}`, () => {
      if (typeof table === 'string') untranslatable(`Its view ${view.name} was skipped.`)
      if (kind === 'dimension' && textOf(block, 'type') === 'location') {
        dimensions.push(...lookmlPlace(view, block, references))
        return 'It is two dimensions, latitude and longitude.'
      }
      const dimension = lookmlDimension(view, kind, block, references)
      dimensions.push(dimension)
      if (textOf(block, 'primary_key') === 'yes' && dimension.expression.kind === 'column')
        keys.push(dimension.expression.column)
      return null
    })
  for (const kind of ['filter', 'parameter'])
    for (const block of blocksOf(view, kind))
      draft.skip(
        kind,
        `${view.name}.${block.name}`,
        'It is an input of a dashboard that templates use. Name the value in the question instead.',
      )
  draft.item('view', view.name, () => {
    if (typeof table === 'string') return untranslatable(table)
    if (dimensions.length === 0 && blocksOf(view, 'measure').length === 0)
      untranslatable('It defines no fields of its own, so there is nothing to ask for.')
    const known = new Set(dimensions.map(({ name }) => name))
    const made = makeModel({
      name: view.name,
      label: textOf(view, 'label') ?? textOf(view, 'view_label'),
      description: textOf(view, 'description'),
      table,
      primaryKey: keys,
      timeDimension: null,
      // A time between dates needs both of them.
      dimensions: dimensions.filter(
        ({ expression }) =>
          expression.kind !== 'duration' || (known.has(expression.from) && known.has(expression.until)),
      ),
      joins: joins.joinsOf(view.name),
    })
    draft.models.set(made.name, made)
    return null
  })
}

/** The table of a view, or why it has none. */
const tableIn = (view: LookmlBlock): { readonly schema: string | null; readonly name: string } | string => {
  try {
    const [derived] = blocksOf(view, 'derived_table')
    if (derived) return derivedTable(derived)
    const name = textOf(view, 'sql_table_name')
    if (name === null) return { schema: null, name: view.name }
    // The schema can be set by a template; the table is found by its name then.
    const last = /^(?:\{\{[^}]*\}\}|@\{\w+\})\.([\w"`.]+)$/.exec(name.trim())?.[1]
    if (last !== undefined) return tableOf(last)
    checkTemplates(name)
    if (/@\{/.test(name))
      untranslatable('Its table has a constant that is not in the files. Pass manifest.lkml as well.')
    return tableOf(name)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** A derived table that only selects everything from a table is that table. */
const derivedTable = (derived: LookmlBlock): { readonly schema: string | null; readonly name: string } => {
  const sql = textOf(derived, 'sql')
  if (sql !== null && /^\s*select\s+\*\s+from\s+\S+\s*$/i.test(sql)) {
    checkTemplates(sql)
    return tableOfQuery(sql)
  }
  return untranslatable(
    'Its rows come from a derived table. Make a view or dbt model of its SQL in the database, and write sql_table_name.',
  )
}
