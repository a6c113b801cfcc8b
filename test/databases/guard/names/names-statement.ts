import type { Dice } from '../random-statement.ts'
import { droppable } from './droppable.ts'
import { makeExpressions, type Scope, type Source } from './expressions.ts'
import { fillIdiom } from './fill-idiom.ts'
import type { Grammar, NamedColumn, NamedTable } from './grammar.ts'
import { makeNaming } from './naming.ts'

/** What statements are made of. */
export interface NamesOptions {
  readonly grammar: Grammar
  readonly tables: readonly NamedTable[]
  /** Percent of statements with names that are nearly those of something else. */
  readonly wild: number
  /** Whether aliases and queries of WITH may have names of tables and columns. */
  readonly shadows: boolean
  /** Percent of statements that are one of the dialect's own forms. */
  readonly idioms: number
  /** Columns that statements rarely name; no more often than others if left out. */
  readonly hidden?: readonly string[]
}

/** A query with the columns it gives. */
export interface Query {
  readonly sql: string
  readonly columns: readonly NamedColumn[]
}

/**
 * A statement of every clause that the grammar has. `{db}` in it is the name of the database, and clauses that may be
 * left out are marked (`withoutMarks`). The same dice give the same statement. Most of them would run: rows of a LIMIT are in
 * order by all columns, and nothing depends on the order in which rows are read.
 */
export const namesStatement = (dice: Dice, options: NamesOptions): string => {
  const { grammar } = options
  const { roll } = dice
  const chance = (percent: number): boolean => roll(100) < percent
  const pick = <T>(items: readonly T[]): T => items[roll(items.length)] as T
  const naming = makeNaming(dice, options, chance(options.wild))
  const expressions = makeExpressions(dice, grammar, naming, (scope, column) => maxOf(scope, column))

  /** One value: the greatest of a column of a query inside. */
  const maxOf = (scope: Scope, type: NamedColumn['type']): string => {
    const inner = from(
      { ...scope, sources: grammar.correlated ? scope.sources : [], depth: scope.depth + 1 },
      1,
    )
    return `(SELECT max(${expressions.value(inner.scope, type)}) FROM ${inner.sql}${whereOf(inner.scope, 40)})`
  }

  const whereOf = (scope: Scope, percent: number): string =>
    chance(percent) ? droppable(` WHERE ${expressions.condition(scope)}`) : ''

  /** A table, a query of WITH, a subquery or a function, under an alias or not. */
  const source = (scope: Scope): { sql: string; source: Source } => {
    const kind = roll(100)
    if (kind < 6 && grammar.sources.length > 0) {
      const alias = naming.invent('alias')
      const columns = [
        { name: 'n', type: 'int' },
        { name: 's', type: 'text' },
      ] as const
      return {
        sql: pick(grammar.sources).replace('{alias}', alias.written),
        source: { name: alias.raw, columns },
      }
    }
    if (kind < 28 && scope.depth < 3) {
      const sees = grammar.lateral && scope.sources.length > scope.outer && chance(30)
      const inner = query({
        ...scope,
        sources: sees ? scope.sources : scope.sources.slice(scope.sources.length - scope.outer),
        depth: scope.depth + 1,
      })
      const alias = naming.invent('alias')
      const renamed =
        grammar.renames && chance(25) ? inner.columns.map(one => ({ ...one, name: naming.output() })) : null
      const list = renamed === null ? '' : ` (${renamed.map(({ name }) => naming.exactly(name)).join(', ')})`
      return {
        sql: `${sees ? 'LATERAL ' : ''}(${inner.sql}) AS ${alias.written}${list}`,
        source: { name: alias.raw, columns: renamed ?? inner.columns },
      }
    }
    const cte = scope.ctes.length > 0 && chance(55) ? pick(scope.ctes) : null
    const table = cte ?? pick(options.tables)
    const written = cte === null ? naming.table(table.name) : naming.refer(cte.name)
    const suffix = chance(2) && grammar.suffixes.length > 0 ? droppable(pick(grammar.suffixes)) : ''
    const alias = chance(60) ? naming.invent('alias') : null
    const as = alias === null ? '' : chance(80) ? ` AS ${alias.written}` : ` ${alias.written}`
    return {
      sql: `${written}${suffix.includes('PARTITION') ? `${suffix}${as}` : `${as}${suffix}`}`,
      source: {
        name: alias?.raw ?? table.name.replace(/^.*\./, ''),
        columns: table.columns,
      },
    }
  }

  const from = (outer: Scope, most = grammar.width): { sql: string; scope: Scope } => {
    const base = { ...outer, outer: outer.sources.length }
    const first = source(base)
    let { sql } = first
    const sources: Source[] = [first.source]
    const names = new Set([first.source.name])
    while (sources.length < most && chance(35)) {
      const next = source({ ...base, sources: [...sources, ...outer.sources] })
      // The same name twice is an error on most servers; a few are left in.
      if (names.has(next.source.name) && chance(90)) continue
      names.add(next.source.name)
      const shared = next.source.columns.filter(({ name, type }) =>
        sources.some(one => one.columns.some(own => own.name === name && own.type === type)),
      )
      const way = roll(10)
      const scope = { ...base, sources: [next.source, ...sources, ...outer.sources] }
      if (way < 3 && shared.length > 0 && grammar.using.length > 0) {
        const using = naming.exactly(pick(shared).name)
        sql += droppable(` ${pick(grammar.using)} ${next.sql} USING (${using})`)
      } else if (way === 3 && grammar.natural.length > 0)
        sql += droppable(` ${pick(grammar.natural)} ${next.sql}`)
      else if (way < 6 || grammar.joins.length === 0) {
        if (grammar.width < 3 && grammar.joins.length === 0) break
        sql += droppable(pick([`, ${next.sql}`, ` CROSS JOIN ${next.sql}`]))
      } else {
        const join = pick(grammar.joins)
        sql += droppable(` ${join} ${next.sql} ON ${expressions.equality(scope)}`)
        // Their columns do not reach the list.
        if (/SEMI|ANTI/.test(join)) continue
      }
      sources.push(next.source)
    }
    return { sql, scope: { ...base, sources: [...sources, ...outer.sources], own: sources.length } }
  }

  /** The list of a query: expressions with headings, or stars. */
  const list = (scope: Scope, width: number): Query => {
    const columns: NamedColumn[] = []
    const items: string[] = []
    for (let at = 0; at < width; at += 1) {
      if (chance(10)) {
        const own = scope.sources.slice(0, scope.own)
        const star = pick(own)
        const all = own.length === 1 || chance(30)
        columns.push(...(all ? own.flatMap(one => one.columns) : star.columns))
        items.push(all && chance(60) ? '*' : `${naming.refer(star.name)}.*`)
        if (all) return { sql: items.join(', '), columns }
        continue
      }
      const type = pick(['int', 'text'] as const)
      const heading = naming.output()
      columns.push({ name: heading, type })
      const value = chance(55) ? expressions.column(scope, type) : expressions.value(scope, type)
      items.push(`${value} AS ${naming.exactly(heading)}`)
    }
    return { sql: items.join(', '), columns }
  }

  const grouped = (scope: Scope, sql: string): Query => {
    const keys = [expressions.column(scope, 'text'), expressions.column(scope, 'int')]
    const names = [naming.output(), naming.output(), naming.output()]
    const form = grammar.groups.length > 0 && chance(35) ? pick(grammar.groups) : null
    const group =
      form === null
        ? pick([keys.join(', '), '1, 2'])
        : form.replaceAll('{1}', keys[0] ?? '').replaceAll('{2}', keys[1] ?? '')
    const having = chance(25) ? droppable(` HAVING ${expressions.aggregate(scope, 'int')} > 0`) : ''
    return {
      sql: `SELECT ${keys[0]} AS ${naming.exactly(names[0] ?? '')}, ${keys[1]} AS ${naming.exactly(names[1] ?? '')}, ${expressions.aggregate(scope, 'int')} AS ${naming.exactly(names[2] ?? '')} FROM ${sql}${whereOf(scope, 30)} GROUP BY ${group}${having}`,
      columns: names.map((name, at) => ({ name, type: at === 0 ? ('text' as const) : ('int' as const) })),
    }
  }

  const select = (outer: Scope, width: number): Query => {
    const { sql, scope } = from(outer)
    const kind = roll(100)
    if (kind < 12 && width !== 1) return grouped(scope, sql)
    if (kind < 20) {
      const name = naming.output()
      return {
        sql: `SELECT ${expressions.aggregate(scope, 'int')} AS ${naming.exactly(name)} FROM ${sql}${whereOf(scope, 35)}`,
        columns: [{ name, type: 'int' }],
      }
    }
    const outputs = list(scope, width)
    const qualify = grammar.qualify && chance(5) ? droppable(` QUALIFY ${expressions.window(scope)} > 0`) : ''
    const tail = `${whereOf(scope, 40)}${qualify}`
    const distinct = chance(10) ? 'DISTINCT ' : ''
    return grammar.fromFirst && chance(8)
      ? { ...outputs, sql: `FROM ${sql} SELECT ${distinct}${outputs.sql}${tail}` }
      : { ...outputs, sql: `SELECT ${distinct}${outputs.sql} FROM ${sql}${tail}` }
  }

  const withQueries = (outer: Scope): { head: string; scope: Scope } => {
    let scope = outer
    const items: string[] = []
    for (let count = roll(2) + 1; count > 0; count -= 1) {
      const name = naming.invent('cte')
      const body = query({ ...scope, sources: [], own: 0, outer: 0, depth: scope.depth + 1 })
      const renamed = chance(25) ? body.columns.map(one => ({ ...one, name: naming.output() })) : null
      const columns = renamed === null ? '' : ` (${renamed.map(one => naming.exactly(one.name)).join(', ')})`
      items.push(`${name.written}${columns} ${pick(grammar.withAs)} (${body.sql})`)
      scope = { ...scope, ctes: [{ name: name.raw, columns: renamed ?? body.columns }, ...scope.ctes] }
    }
    return { head: `${chance(75) ? 'WITH' : pick(grammar.with)} ${items.join(', ')} `, scope }
  }

  const query = (outer: Scope, width = roll(3) + 1): Query => {
    const hasWith = grammar.with.length > 0 && outer.depth < 3 && chance(outer.depth === 0 ? 55 : 14)
    const { head, scope } = hasWith ? withQueries(outer) : { head: '', scope: outer }
    const body = select(scope, width)
    if (grammar.sets.length > 0 && outer.depth < 3 && chance(12)) {
      const { sql, scope: other } = from(scope, 1)
      const items = body.columns.map(({ type }) => expressions.column(other, type))
      return {
        sql: `${head}${body.sql}${droppable(` ${pick(grammar.sets)} SELECT ${items.join(', ')} FROM ${sql}${whereOf(other, 25)}`)}`,
        columns: body.columns,
      }
    }
    const places = body.columns.map((_, at) => `${at + 1}${chance(20) ? ' DESC' : ''}`)
    const limit = chance(30) ? ` LIMIT ${roll(6) + 1}${chance(30) ? ` OFFSET ${roll(3)}` : ''}` : ''
    const order = chance(25) ? droppable(` ORDER BY ${places.join(', ')}${limit}`) : ''
    return { sql: `${head}${body.sql}${order}`, columns: body.columns }
  }

  if (chance(options.idioms)) return fillIdiom(dice, options, naming)
  return query({ ctes: [], sources: [], own: 0, outer: 0, depth: 0 }).sql
}
