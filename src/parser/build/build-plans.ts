import { keysBetween } from '../../domain/key-graph.ts'
import { type Expression, emptyFrame, type QueryTree } from '../../sql/tree/query-tree.ts'
import { type Condition, type Frame, isMeasure } from '../frame.ts'
import type { Features } from '../rank/model.ts'
import type { SchemaIndex, TableEntry } from '../schema/schema-index.ts'
import { assembleQuery } from './assemble-query.ts'
import { membershipExpression } from './conditions.ts'
import { joinTrees, type KeyChoice, type KeyPreference, repeatedTables } from './join-tree.ts'

/** What building a query needs besides the frame. */
interface BuildContext {
  readonly schema: SchemaIndex
  readonly timeZone: string
  readonly prefer: KeyPreference
  /** How strongly the question names a table, from 0 to 1. */
  readonly named: (table: TableEntry) => number
  /** Tables that are joined even if the frame has nothing of them. */
  readonly also?: readonly TableEntry[]
}

/** A frame as a query over joined tables. */
export interface QueryPlan {
  readonly query: QueryTree
  readonly features: Features
  /** Pairs of tables with several keys, and which was taken, to report as decisions. */
  readonly choices: readonly KeyChoice[]
}

/**
 * All sensible queries for a frame: one for each join tree and way of counting. Empty if keys do not connect its
 * tables.
 */
export const buildPlans = (frame: Frame, context: BuildContext): readonly QueryPlan[] => {
  const entity = findEntity(frame)
  if (!entity) return []
  if (frame.both) return planBoth(frame, entity, context)
  const { kept, memberships, features } = separateConditions(frame, entity, context)
  if (!memberships) return []
  const own = neededTables({ ...frame, conditions: kept }, entity)
  const needed = [...new Set([...own, ...(context.also ?? [])])]
  const restricting = restrictingTables(context.schema, frame, needed).filter(
    table => !frame.absent.some(absent => isReachedThrough(absent, entity, table, context)),
  )
  const forbidden = frame.absent.filter(
    table => table !== entity && frame.conditions.every(({ column }) => column.table !== table),
  )
  const dropped = frame.tables.filter(table => !needed.includes(table) && !restricting.includes(table))
  return joinTrees(context.schema, [...needed, ...restricting], context.prefer).flatMap((tree, index) => {
    const joined = [tree.root, ...tree.joins.map(join => join.table)]
    // Nobody has a row of a table and none: such a statement is always empty.
    if (forbidden.some(table => joined.includes(table))) return []
    const base: Features = [
      ...features,
      ['join.count', tree.joins.length],
      ['join.unnamed', joined.filter(table => context.named(table) < 0.5 && !needed.includes(table)).length],
      ['join.unnamedNeeded', needed.filter(table => context.named(table) < 0.5).length],
      ['join.restricting', restricting.length],
      ['join.dropped', dropped.length],
      ['join.derived', tree.joins.filter(join => !join.edge.declared).length],
      ['join.otherKey', index > 0 ? 1 : 0],
    ]
    const repeated = repeatedTables(tree)
    return assembleQuery({
      frame: { ...frame, conditions: kept },
      entity,
      tree,
      repeated,
      memberships,
      timeZone: context.timeZone,
    }).map(assembled => ({
      query: assembled.query,
      features: [...base, ...assembled.features],
      choices: tree.choices,
    }))
  })
}

/**
 * Takes out what cannot be a plain condition in WHERE: tables that must not have a row, and negated conditions on
 * tables with several rows per entity ("students who do not own cats").
 */
const separateConditions = (
  frame: Frame,
  entity: TableEntry,
  context: BuildContext,
): { kept: readonly Condition[]; memberships: readonly Expression[] | null; features: Features } => {
  const options = { negated: true, qualified: true, timeZone: context.timeZone, prefer: context.prefer }
  const memberships: Expression[] = []
  let failed = false
  const add = (table: TableEntry, conditions: readonly Condition[]): void => {
    const made = membershipExpression(context.schema, entity, table, conditions, options)
    if (made) memberships.push(made)
    else failed = true
  }
  const inside = (condition: Condition): boolean =>
    frame.absent.includes(condition.column.table) && !condition.negated && condition.column.table !== entity
  const beyond = (condition: Condition, absent: TableEntry): boolean =>
    !condition.negated && isReachedThrough(absent, entity, condition.column.table, context)
  for (const table of frame.absent) {
    const own = frame.conditions.filter(condition => condition.column.table === table && inside(condition))
    // "Who did not visit a museum opened after 2010": no visit to such a museum, not no visit and such a museum.
    const further = frame.conditions.filter(condition => beyond(condition, table))
    const [farthest = table, ...more] = new Set(further.map(({ column }) => column.table))
    if (more.length > 0) failed = true
    else add(farthest, [...own, ...further])
  }
  const outside = frame.conditions.filter(
    condition => !inside(condition) && !frame.absent.some(table => beyond(condition, table)),
  )
  const [apart, kept] = partition(outside, condition => needsSubquery(condition, entity, context))
  for (const condition of apart) add(condition.column.table, [condition])
  const features: Features = [
    ['not.absent', frame.absent.length],
    ['not.absentWith', frame.conditions.length - outside.length],
    ['not.member', apart.length],
    ['not.direct', kept.filter(condition => condition.negated).length],
  ]
  return { kept, memberships: failed ? null : memberships, features }
}

/** Whether keys lead from the entity to a table by way of another one. */
const isReachedThrough = (
  between: TableEntry,
  entity: TableEntry,
  table: TableEntry,
  { schema, prefer }: Pick<BuildContext, 'schema' | 'prefer'>,
): boolean => {
  if (table === between || table === entity || between === entity) return false
  const [tree] = joinTrees(schema, [entity, table], prefer)
  return tree?.joins.some(join => join.table === between) ?? false
}

const needsSubquery = (condition: Condition, entity: TableEntry, context: BuildContext): boolean => {
  if (!condition.negated || condition.column.table === entity) return false
  const [tree] = joinTrees(context.schema, [entity, condition.column.table], context.prefer)
  return tree !== undefined && repeatedTables(tree).has(entity.id)
}

const partition = <T>(all: readonly T[], test: (one: T) => boolean): readonly [T[], T[]] => [
  all.filter(test),
  all.filter(one => !test(one)),
]

/**
 * "Both A and B": the two conditions hold for one entity in different rows, or for one value that is shown. Of figures,
 * each has its own: "the average age of men and women".
 */
const planBoth = (frame: Frame, entity: TableEntry, context: BuildContext): readonly QueryPlan[] => {
  const at = frame.conditions.findIndex(
    (condition, index) =>
      index > 0 && condition.column === frame.conditions[index - 1]?.column && !condition.or,
  )
  const [first, second] = [frame.conditions[at - 1], frame.conditions[at]]
  if (!first || !second) return buildPlans({ ...frame, both: false }, context)
  if (frame.groups.length === 0 && frame.outputs.every(({ kind }) => kind === 'measure'))
    return buildPlans(
      {
        ...frame,
        both: false,
        outputs: [{ kind: 'column', column: second.column, grouped: true }, ...frame.outputs],
        conditions: frame.conditions.with(at, { ...second, or: true }),
        groups: [{ column: second.column, entity: null, unit: null }],
      },
      context,
    ).map(plan => ({ ...plan, features: [...plan.features, ['both.intersect', 1] as const] }))
  const others = frame.conditions.filter(condition => condition !== first && condition !== second)
  const part = (condition: Condition): Frame => ({
    ...frame,
    both: false,
    orders: [],
    limit: null,
    conditions: [...others, condition],
  })
  const lefts = buildPlans(part(first), context)
  const rights = buildPlans(part(second), context)
  const [left, right] = [lefts[0], rights[0]]
  if (!left || !right || entity === undefined) return []
  return [
    {
      query: {
        ...emptyFrame,
        kind: 'set',
        operator: 'intersect',
        all: false,
        left: withoutOrder(left.query),
        right: withoutOrder(right.query),
      },
      features: [...left.features, ['both.intersect', 1]],
      choices: left.choices,
    },
  ]
}

/** A part of a set operation has no order of its own. */
const withoutOrder = (query: QueryTree): QueryTree =>
  query.kind === 'select' ? { ...query, orderBy: [] } : query

/** The table that a query is about: that of what is shown, else of what is counted, else the one named first. */
export const findEntity = (frame: Frame): TableEntry | null => {
  for (const output of frame.outputs) {
    if (output.kind === 'column' && !output.grouped) return output.column.table
    if (output.kind === 'all' && output.table) return output.table
  }
  for (const output of frame.outputs) {
    if (output.kind !== 'measure') continue
    const table = output.measure.table ?? output.measure.column?.table
    if (table) return table
  }
  const [named] = frame.tables
  if (named) return named
  const [output] = frame.outputs
  if (output?.kind === 'column' || output?.kind === 'unit') return output.column.table
  return frame.conditions[0]?.column.table ?? null
}

/** Tables that a frame needs for its columns or rows, the entity first. */
export const neededTables = (frame: Frame, entity: TableEntry): readonly TableEntry[] => {
  const needed = new Set([entity])
  for (const output of frame.outputs) {
    if (output.kind === 'measure') addMeasure(output.measure)
    else if (output.kind !== 'all') needed.add(output.column.table)
    else if (output.table) needed.add(output.table)
  }
  for (const condition of frame.conditions) {
    needed.add(condition.column.table)
    if (condition.test.kind === 'compare-column') needed.add(condition.test.other.table)
  }
  for (const group of frame.groups) needed.add(group.column.table)
  for (const having of frame.havings) addMeasure(having.measure)
  for (const order of frame.orders) {
    if (isMeasure(order.by)) addMeasure(order.by)
    else needed.add(order.by.table)
  }
  return [...needed]

  function addMeasure(measure: { table: TableEntry | null; column: { table: TableEntry } | null }): void {
    const table = measure.column?.table ?? measure.table
    if (table) needed.add(table)
  }
}

/**
 * Named tables that restrict the rows: those that a key leads to and that not every row of the needed tables refers
 * to. A table at the one side of keys that are never null changes nothing and is left out.
 */
const restrictingTables = (
  schema: SchemaIndex,
  frame: Frame,
  needed: readonly TableEntry[],
): readonly TableEntry[] =>
  frame.tables.filter(
    table => !needed.includes(table) && !frame.absent.includes(table) && !isImplied(schema, needed, table),
  )

const isImplied = (schema: SchemaIndex, needed: readonly TableEntry[], table: TableEntry): boolean =>
  needed.some(other =>
    keysBetween(schema.keys, other.id, table.id).some(
      ({ from }) => from.table === other.id && from.columns.every(({ column }) => !column.nullable),
    ),
  )
