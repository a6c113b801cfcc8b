import type { Dialect } from '../../domain/sql.ts'
import { columnOf, selectOf, tableSource } from '../../sql/tree/compose-query.ts'
import {
  compareOf,
  type Expression,
  type JoinedSource,
  type Output,
  type QueryTree,
} from '../../sql/tree/query-tree.ts'
import type { IndexedModel, LayerIndex, PathStep } from './layer-index.ts'
import { withShortNames } from './short-names.ts'

/** What a compiler of one SELECT needs to know. */
export interface CompileContext {
  readonly index: LayerIndex
  readonly dialect: Dialect
  readonly timeZone: string
  /** The day (ISO) that "the last days" of a segment end with. */
  readonly today: string
}

/** A query that cannot be compiled; the message says why, in words. */
export class UncompilableError extends Error {
  override readonly name = 'UncompilableError'
}

/** What joins do with rows that have no partner: `inner` drops them, `left` keeps them. */
export type JoinKind = 'inner' | 'left'

/** The sources of one SELECT, which grow as its expressions need them, as seen from one of its models. */
export interface Scope {
  readonly base: IndexedModel
  readonly context: CompileContext
  readonly join: JoinKind
  /** Whether conditions are about the partners that rows are grouped by, and not about any partner. */
  readonly isTied: boolean
  /** A column of the model that the steps lead to. Each must be to one row, or be joined already. */
  readonly column: (steps: readonly PathStep[], column: string) => Expression
  /** Whether the steps can be joined without repeating rows: all are to one row, or they are joined already. */
  readonly canJoin: (steps: readonly PathStep[]) => boolean
  /**
   * An expression over a model of which each row can have many. Distinct pairs of row and value are joined, so that a row
   * counts once for each value and not once for each partner.
   */
  readonly each: (steps: readonly PathStep[], build: (inner: Scope) => Expression, name: string) => Expression
  /**
   * Adds a condition to pairs that `each` has joined, along the rest of the steps; false if the steps do not lead there.
   */
  readonly whereEach: (
    steps: readonly PathStep[],
    build: (inner: Scope, rest: readonly PathStep[]) => Expression,
  ) => boolean
  /** Joins what has to be there: the steps without the last ones that every row has exactly one of. */
  readonly reach: (steps: readonly PathStep[]) => void
  /** The same SELECT as seen from the model that the steps lead to. */
  readonly at: (steps: readonly PathStep[]) => Scope
  /** The same SELECT with another kind of join, for conditions that do not concern all rows. */
  readonly joining: (join: JoinKind) => Scope
  /** The same SELECT for conditions that are not about the partners that rows are grouped by. */
  readonly untied: () => Scope
  /** Adds a source that was built elsewhere. */
  readonly add: (source: JoinedSource) => void
  /** An alias that no source has yet. */
  readonly freeAlias: (wanted: string) => string
  readonly aliases: () => readonly string[]
  readonly sources: () => readonly JoinedSource[]
}

/** Pairs of a row and a value that another SELECT gathers. */
interface Pairs {
  readonly alias: string
  readonly inner: Scope
  /** The columns that the rows are found by, and the condition of the join. */
  readonly links: readonly Output[]
  readonly on: Expression | null
  readonly values: { readonly expression: Expression; readonly alias: string }[]
  readonly conditions: Expression[]
}

interface ScopeOptions {
  /** Aliases of a query around it. */
  readonly taken?: readonly string[]
  /** Whether rows may repeat: what is asked of them is whether there are any, or which ones are distinct. */
  readonly repeats?: boolean
}

/** A scope over one model. */
export const makeScope = (
  base: IndexedModel,
  context: CompileContext,
  { taken = [], repeats = false }: ScopeOptions = {},
): Scope => {
  const aliases = new Set(taken.map(alias => alias.toLowerCase()))
  const freeAlias = (wanted: string): string => {
    const alias = freeName(wanted, name => aliases.has(name.toLowerCase()))
    aliases.add(alias.toLowerCase())
    return alias
  }
  const baseAlias = freeAlias(base.table.name)
  const sources: (JoinedSource | Pairs)[] = [sourceOf(base, baseAlias)]
  const joined = new Map<string, { readonly alias: string; readonly at: number }>()
  const pairs = new Map<string, Pairs>()

  const joinStep = (step: PathStep, from: string, how: JoinKind): { alias: string; at: number } => {
    const target = modelAt(context, step)
    const isNamed = aliases.has(target.table.name.toLowerCase())
    const alias = freeAlias(isNamed ? step.name : target.table.name)
    sources.push(sourceOf(target, alias, { join: how, on: joinCondition(step, from, alias) }))
    return { alias, at: sources.length - 1 }
  }

  /** Joins the steps and gives the alias of the last. A filter on a partner drops rows without one, whatever was said before. */
  const joinSteps = (steps: readonly PathStep[], wanted: JoinKind): string => {
    let path = ''
    let alias = baseAlias
    let how: JoinKind = 'inner'
    for (const step of steps) {
      path = `${path}/${step.name}`
      // Behind a join that keeps rows without partners, all have to.
      if (!step.isTotal) how = wanted
      const known = joined.get(path)
      if (known === undefined) {
        if (!step.isToOne && !repeats) throw new UncompilableError(`${base.model.name} has many ${step.to}`)
        const added = joinStep(step, alias, how)
        joined.set(path, added)
        alias = added.alias
        continue
      }
      const source = sources[known.at]!
      if ('source' in source && wanted === 'inner' && source.join === 'left')
        sources[known.at] = { ...source, join: 'inner' }
      if ('source' in source && wanted === 'left' && source.join === 'left') how = 'left'
      alias = known.alias
    }
    return alias
  }

  const pairsAt = (steps: readonly PathStep[]): Pairs => {
    const many = steps.findIndex(step => !step.isToOne)
    const key = pathKey(steps.slice(0, many + 1))
    const known = pairs.get(key)
    if (known) return known
    const step = steps[many]!
    const before = joinSteps(steps.slice(0, many), 'inner')
    const inner = makeScope(modelAt(context, step), context, { repeats: true })
    const alias = freeAlias(`each_${steps.at(-1)?.to ?? 'value'}`)
    const made: Pairs = {
      alias,
      inner,
      links: step.columns.map(({ to }) => ({ expression: inner.column([], to), alias: to })),
      on: allOf(
        step.columns.map(({ from, to }) => compareOf('=', columnOf(to, alias), columnOf(from, before))),
      ),
      values: [],
      conditions: [],
    }
    pairs.set(key, made)
    sources.push(made)
    return made
  }
  const asSource = ({ alias, inner, links, on, values, conditions }: Pairs): JoinedSource => {
    const outputs = [...links, ...values].map(plainOutput)
    const query = selectOf({ distinct: true, outputs, from: inner.sources(), where: allOf(conditions) })
    return derivedSource(withShortNames(query), alias, { join: 'inner', on })
  }

  const view = (at: IndexedModel, prefix: readonly PathStep[], join: JoinKind, isTied: boolean): Scope => {
    const canJoin = (steps: readonly PathStep[]): boolean => {
      const path = [...prefix, ...steps]
      const many = path.findLastIndex(step => !step.isToOne)
      if (many >= prefix.length && !isTied) return false
      return many === -1 || joined.has(pathKey(path.slice(0, many + 1)))
    }
    return {
      base: at,
      context,
      join,
      isTied,
      column: (steps, column) => {
        const path = [...prefix, ...steps]
        const last = path.at(-1)
        const pair = last?.columns.find(({ to }) => to === column)
        // The key of a partner that each row has is the column that refers to it.
        return last?.isTotal && pair && !joined.has(pathKey(path))
          ? columnOf(pair.from, joinSteps(path.slice(0, -1), join))
          : columnOf(column, joinSteps(path, join))
      },
      canJoin,
      each: (steps, build, name) => {
        const path = [...prefix, ...steps]
        if (repeats || path.every(step => step.isToOne))
          return build(view(modelOf(context, base, path), path, join, isTied))
        const made = pairsAt(path)
        const rest = path.slice(path.findIndex(step => !step.isToOne) + 1)
        const expression = build(made.inner.at(rest))
        const same = made.values.find(
          value => JSON.stringify(value.expression) === JSON.stringify(expression),
        )
        const isTaken = (alias: string): boolean =>
          [...made.links, ...made.values].some(one => one.alias === alias)
        const value = same ?? { expression, alias: freeName(name, isTaken) }
        if (!same) made.values.push(value)
        return columnOf(value.alias, made.alias)
      },
      whereEach: (steps, build) => {
        const path = [...prefix, ...steps]
        const many = path.findIndex(step => !step.isToOne)
        const made = pairs.get(pathKey(path.slice(0, many + 1)))
        if (many === -1 || made === undefined) return false
        made.conditions.push(build(made.inner, path.slice(many + 1)))
        return true
      },
      reach: steps => {
        const path = [...prefix, ...steps]
        joinSteps(path.slice(0, path.findLastIndex(step => !step.isTotal) + 1), join)
      },
      at: steps => view(modelOf(context, base, [...prefix, ...steps]), [...prefix, ...steps], join, isTied),
      joining: other => view(at, prefix, other, false),
      untied: () => view(at, prefix, join, false),
      add: source => sources.push(source),
      freeAlias,
      aliases: () => [...aliases],
      sources: () => sources.map(source => ('source' in source ? source : asSource(source))),
    }
  }
  return view(base, [], 'inner', true)
}

const pathKey = (steps: readonly PathStep[]): string => steps.map(({ name }) => `/${name}`).join('')

const modelAt = ({ index }: CompileContext, { to }: PathStep): IndexedModel => {
  const found = index.models.get(to)
  if (found === undefined) throw new UncompilableError(`there is no model ${to}`)
  return found
}

const modelOf = (context: CompileContext, base: IndexedModel, steps: readonly PathStep[]): IndexedModel => {
  const last = steps.at(-1)
  return last === undefined ? base : modelAt(context, last)
}

const sourceOf = (
  { table }: IndexedModel,
  alias: string,
  joined?: { readonly join: JoinKind; readonly on: Expression },
): JoinedSource =>
  tableSource({ schema: table.schema, name: table.name, alias: alias === table.name ? null : alias }, joined)

/** An output without an alias that says its name again. */
export const plainOutput = ({ expression, alias }: Output): Output => ({
  expression,
  alias: expression.kind === 'column' && expression.name === alias ? null : alias,
})

/** A name that is not taken: itself, or with a number. */
export const freeName = (wanted: string, isTaken: (name: string) => boolean): string => {
  let name = wanted
  for (let number = 2; isTaken(name); number++) name = `${wanted}_${number}`
  return name
}

/** A query in FROM. */
export const derivedSource = (
  query: QueryTree,
  alias: string,
  { join = null, on = null }: Partial<Pick<JoinedSource, 'join' | 'on'>> = {},
): JoinedSource => ({
  source: { kind: 'derived', query, alias, renamed: [] },
  join,
  natural: false,
  comma: false,
  on,
  using: [],
  usingAlias: null,
})

/** The condition of one join. */
export const joinCondition = (step: PathStep, from: string, to: string): Expression =>
  allOf(step.columns.map(pair => compareOf('=', columnOf(pair.to, to), columnOf(pair.from, from))))!

/** Conditions that all hold; null if there are none. */
export const allOf = (conditions: readonly Expression[]): Expression | null => {
  const operands = conditions.flatMap(one => (one.kind === 'and' ? one.operands : [one]))
  const [only] = operands
  return operands.length > 1 ? { kind: 'and', operands } : (only ?? null)
}
