import type { Catalog, ValueOrigins } from '../../../domain/catalog.ts'
import type { SqlCall } from '../../../sql/analyze/function-calls.ts'
import { bareType } from '../../../sql/analyze/named-types.ts'
import {
  fieldNames,
  operatorUses,
  type TypeUse,
  typeUses,
  type ValueSources,
  valueSources,
} from '../../../sql/analyze/postgres-syntax.ts'
import { databaseDialect } from '../../../sql/dialects.ts'
import type { SqlTree } from '../../../sql/parse/sql-tree.ts'
import { foldName } from './name-lookup.ts'
import { scopeMessages } from './visible-sources.ts'

/** Whether a call may mean a function that somebody made in the database. */
export const makeIsOwnFunction = ({ dialect, functions = [] }: Catalog): ((call: SqlCall) => boolean) => {
  const own = new Set(functions.map(name => name.toLowerCase()))
  const { mayCallOwn } = databaseDialect(dialect).scope
  return call => {
    const name = call.name.toLowerCase()
    return (own.has(name) || own.has(`${call.schema?.toLowerCase()}.${name}`)) && mayCallOwn(call)
  }
}

const known = new WeakMap<Catalog, (tree: SqlTree) => string | null>()

/**
 * Why a statement may call a function that somebody made in the database without naming it as one: by an operator, a
 * cast, a type that checks or compares its values, or a field of a row. Only Postgres has such syntax.
 */
export const makeOwnSyntaxRefusal = (catalog: Catalog): ((tree: SqlTree) => string | null) => {
  const before = known.get(catalog)
  if (before !== undefined) return before
  const [fields, syntax] = [makeFieldRefusal(catalog), makeSyntaxRefusal(catalog)]
  const refusal = (tree: SqlTree): string | null =>
    tree.parser === 'libpg-query' ? (fields(tree) ?? syntax(tree)) : null
  known.set(catalog, refusal)
  return refusal
}

/**
 * `t.f` and `(t).f` call f where t has no such column. That a table has the column is known; what a function gives, or
 * a source with new names for its columns, only the server knows.
 */
const makeFieldRefusal = ({ dialect, functions = [], tables }: Catalog) => {
  const own = new Set(functions)
  const byName = Map.groupBy(tables, ({ name }) => foldName(name, dialect))
  const hasColumn = (table: string, name: string): boolean => {
    const meant = byName.get(foldName(table, dialect)) ?? []
    return meant.length > 0 && meant.every(({ columns }) => columns.some(column => column.name === name))
  }
  return (tree: SqlTree): string | null => {
    if (own.size === 0) return null
    const { fields, isSure } = fieldNames(tree)
    const called = fields.find(
      ({ name, tables: meant }) =>
        own.has(name) &&
        (meant === null ||
          (!isSure && (meant.length === 0 || !meant.every(table => hasColumn(table, name))))),
    )
    return called === undefined ? null : scopeMessages.call(called.name)
  }
}

const makeSyntaxRefusal = ({ dialect, ownSyntax, tables }: Catalog): ((tree: SqlTree) => string | null) => {
  if (ownSyntax === undefined) return () => null
  const { operators, casts, compared, values } = ownSyntax
  const fold = (name: string): string => foldName(name, dialect)
  const columns = new Set(tables.flatMap(table => table.columns.map(({ name }) => fold(name))))
  const originOf = ({ types, calls, keeping }: ValueOrigins): Origin => {
    const names = new Set(types.map(bareType))
    const having = tables.flatMap(table =>
      table.columns
        .filter(column => names.has(bareType(column.type)))
        .map(column => ({ table: fold(table.name), column: fold(column.name) })),
    )
    return {
      types: names,
      calls: new Set(calls),
      keeping: new Set(keeping),
      tables: new Set(having.map(({ table }) => table)),
      columns: new Set(having.map(({ column }) => column)),
    }
  }
  const origins = new Map(Object.entries(values).map(([type, from]) => [type, originOf(from)]))
  const conversions = casts.map(cast => ({
    ...cast,
    target: originOf({ types: cast.to, calls: [], keeping: [] }),
  }))

  /** Whether a part of a statement may have values of an origin. */
  const comesFrom = (origin: Origin, part: ValueSources, whole: ValueSources): boolean => {
    const names = [...part.names].map(fold)
    // A name that is not a column, or that something in FROM has too, may mean a whole row.
    const hasRows =
      part.hasStar ||
      names.some(name => !columns.has(name)) ||
      [...part.names].some(name => whole.tables.has(name) || whole.aliases.has(name))
    return (
      [...part.types].some(name => origin.types.has(name)) ||
      [...part.calls].some(name => origin.calls.has(name) || (part.hasUntyped && origin.keeping.has(name))) ||
      names.some(name => origin.columns.has(name)) ||
      (hasRows && [...whole.tables].some(name => origin.tables.has(fold(name))))
    )
  }

  /** Whether a part of a statement may have values of a type, or that become values of it by themselves. */
  const mayHave = (type: string | null, part: ValueSources, whole: ValueSources): boolean => {
    const origin = type === null ? undefined : origins.get(type)
    return origin === undefined || comesFrom(origin, part, whole)
  }

  const operatorRefusal = (tree: SqlTree, whole: ValueSources): string | null => {
    for (const { symbol, operands } of operatorUses(tree)) {
      const meant = operators.filter(one => one.symbol === symbol)
      if (meant.length === 0) continue
      const sources = operands.map(part => (part === null || !whole.isFlat ? whole : valueSources(part)))
      const mayBe = (types: readonly (string | null)[]): boolean => {
        const has = types.map((type, at) => mayHave(type, sources[at] ?? whole, whole))
        // A text or NULL may stand for a value of any type, but not on both sides.
        const fits = types.every((_, at) => has[at] || (sources[at] ?? whole).hasUntyped)
        return fits && has.includes(true)
      }
      if (
        meant.some(one => !one.isShared || (one.operands.length === operands.length && mayBe(one.operands)))
      )
        return scopeMessages.ownOperator(symbol)
    }
    return null
  }

  const castRefusal = (tree: SqlTree, whole: ValueSources): string | null => {
    const makes = ({ operand }: TypeUse, from: string | null): boolean =>
      mayHave(from, operand === null || !whole.isFlat ? whole : valueSources(operand, 'TypeCast'), whole)
    const fills = [...whole.calls].some(name => fillsRows.test(name))
    for (const { from, target, isImplicit, isIntoKnown } of conversions) {
      const use = typeUses(tree).find(one => target.types.has(one.type) && makes(one, from))
      const isReached =
        use !== undefined ||
        (from === null && fills && comesFrom(target, whole, whole)) ||
        (isImplicit && mayHave(from, whole, whole) && (isIntoKnown || comesFrom(target, whole, whole)))
      if (isReached) return scopeMessages.ownCast(use?.type ?? [...target.types][0] ?? '')
    }
    return null
  }

  return tree => {
    const whole = valueSources(tree.statements)
    const sorted = compared.find(type => mayHave(type, whole, whole))
    return (
      operatorRefusal(tree, whole) ??
      castRefusal(tree, whole) ??
      (sorted === undefined ? null : scopeMessages.ownOrder(bareType(sorted)))
    )
  }
}

/** Where values come from: types as columns declare them, functions and operators, and tables and columns that have them. */
interface Origin {
  readonly types: ReadonlySet<string>
  readonly calls: ReadonlySet<string>
  readonly keeping: ReadonlySet<string>
  readonly tables: ReadonlySet<string>
  readonly columns: ReadonlySet<string>
}

/** They make rows out of documents, with the types of the columns. */
const fillsRows = /^(?:jsonb?_populate_record(?:set)?|populate_record|#=)$/
