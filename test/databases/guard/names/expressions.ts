import type { Dice } from '../random-statement.ts'
import { droppable } from './droppable.ts'
import type { Grammar, NamedColumn, NamedTable } from './grammar.ts'
import type { Naming } from './naming.ts'

/** A source of a query under the name by which its columns are written. */
export type Source = NamedTable

/** What can be named at a place. */
export interface Scope {
  readonly ctes: readonly NamedTable[]
  /** Those of the query itself first, then those of queries outside. */
  readonly sources: readonly Source[]
  /** How many of the sources are the query's own. */
  readonly own: number
  /** How many are of queries outside. */
  readonly outer: number
  readonly depth: number
}

/** Makes expressions over a scope. */
export interface Expressions {
  readonly column: (scope: Scope, type: NamedColumn['type']) => string
  readonly value: (scope: Scope, type: NamedColumn['type']) => string
  readonly aggregate: (scope: Scope, type: NamedColumn['type']) => string
  readonly condition: (scope: Scope) => string
  /** Of two columns, of different sources if there are several. */
  readonly equality: (scope: Scope) => string
  readonly window: (scope: Scope) => string
}

/** `maxOf` makes a subquery of one value. */
export const makeExpressions = (
  dice: Dice,
  grammar: Grammar,
  naming: Naming,
  maxOf: (scope: Scope, type: NamedColumn['type']) => string,
): Expressions => {
  const { roll } = dice
  const chance = (percent: number): boolean => roll(100) < percent
  const pick = <T>(items: readonly T[]): T => items[roll(items.length)] as T
  const literal = (type: NamedColumn['type']): string =>
    type === 'int' ? String(roll(9)) : `'${pick(['a', 'north', 'n1', 'open', '2001'])}'`

  const columnOf = (scope: Scope, source: Source, type: NamedColumn['type']): string => {
    const fitting = source.columns.filter(one => one.type === type)
    if (fitting.length === 0) return literal(type)
    const { name } = pick(fitting)
    const isAmbiguous = scope.sources
      .slice(0, Math.max(1, scope.own))
      .some(one => one !== source && one.columns.some(other => other.name === name))
    const written = chance(6) ? naming.refer(name) : naming.exactly(name)
    return isAmbiguous
      ? chance(96)
        ? `${naming.refer(source.name)}.${written}`
        : written
      : chance(45)
        ? `${naming.refer(source.name)}.${written}`
        : written
  }

  const column = (scope: Scope, type: NamedColumn['type']): string => {
    const reach = grammar.correlated && chance(15) ? scope.sources.length : Math.max(1, scope.own)
    const within = scope.sources.slice(0, reach)
    const having = within.filter(({ columns }) => columns.some(one => one.type === type))
    return having.length === 0 ? literal(type) : columnOf(scope, pick(having), type)
  }

  const value = (scope: Scope, type: NamedColumn['type']): string => {
    const deeper = { ...scope, depth: scope.depth + 1 }
    if (scope.depth > 4) return column(scope, type)
    const kind = roll(22)
    if (kind === 0) return literal(type)
    if (kind === 1 && scope.depth < 3) return maxOf(deeper, type)
    if (kind === 2) return `coalesce(${column(scope, type)}, ${column(scope, type)})`
    if (kind === 3) return `CASE WHEN ${condition(deeper)} THEN ${value(deeper, type)} END`
    if (kind === 4 && type === 'int') return `${column(scope, 'int')} + 1`
    if (kind === 5 && type === 'int') return `length(${value(deeper, 'text')})`
    if (kind === 4 && type === 'text') return `upper(${value(deeper, 'text')})`
    if (kind === 5 && type === 'text') return grammar.concat(column(scope, 'text'), column(scope, 'text'))
    if (kind === 6 && type === 'text') return `CAST(${column(scope, 'int')} AS ${grammar.types.text})`
    // Fails on some values.
    if (kind === 6 && chance(25)) return `CAST(${column(scope, 'text')} AS ${grammar.types.int})`
    if (kind === 7 && type === 'int' && grammar.windows && scope.depth < 2) return window(scope)
    return column(scope, type)
  }

  const aggregate = (scope: Scope, type: NamedColumn['type']): string => {
    const filter = grammar.filter && chance(20) ? droppable(` FILTER (WHERE ${condition(scope)})`) : ''
    if (type === 'text') return `max(${column(scope, 'text')})${filter}`
    return pick([
      () => `count(*)${filter}`,
      () => `count(${column(scope, pick(['int', 'text']))})${filter}`,
      () => `count(DISTINCT ${column(scope, pick(['int', 'text']))})${filter}`,
      () => `sum(${column(scope, 'int')})${filter}`,
      () => `max(${value({ ...scope, depth: scope.depth + 3 }, 'int')})${filter}`,
    ])()
  }

  /** Those whose value does not depend on the order of equal rows. */
  const window = (scope: Scope): string =>
    `${pick(['count(*)', `sum(${column(scope, 'int')})`, 'rank()', 'dense_rank()'])} OVER (PARTITION BY ${column(scope, 'text')} ORDER BY ${column(scope, 'int')})`

  const subquery = (scope: Scope, type: NamedColumn['type']): string =>
    maxOf({ ...scope, depth: scope.depth + 1 }, type)

  const condition = (scope: Scope): string => {
    const deeper = { ...scope, depth: scope.depth + 1 }
    const type = pick(['int', 'text'] as const)
    if (scope.depth > 4) return `${column(scope, type)} IS NOT NULL`
    const kind = roll(16)
    if (kind < 2 && scope.depth < 3)
      return grammar.correlated
        ? `${chance(30) ? 'NOT ' : ''}EXISTS ${subquery(scope, type)}`
        : `${column(scope, type)} IN ${subquery(scope, type)}`
    if (kind === 2 && scope.depth < 3) return `${column(scope, type)} IN ${subquery(scope, type)}`
    if (kind === 3) return `${condition(deeper)}${droppable(` ${pick(['AND', 'OR'])} ${condition(deeper)}`)}`
    if (kind < 6) return `${column(scope, type)} IS NOT NULL`
    if (kind < 8) return equality(scope)
    if (kind === 8) return `${column(scope, 'text')} LIKE '%1%'`
    if (kind === 9 && chance(20)) return `10 / (${column(scope, 'int')} - 3) > 0`
    if (kind === 10 && chance(20)) return `CAST(${column(scope, 'text')} AS ${grammar.types.int}) > 0`
    return `${value(deeper, type)} ${pick(['=', '<>', '>', '<='])} ${literal(type)}`
  }

  const equality = (scope: Scope): string => {
    const type = pick(['int', 'int', 'text'] as const)
    const [left, right] = [scope.sources[0], scope.sources[1]]
    return left === undefined || right === undefined
      ? `${column(scope, type)} = ${column(scope, type)}`
      : `${columnOf(scope, left, type)} = ${columnOf(scope, right, type)}`
  }

  return { column, value, aggregate, condition, equality, window }
}
