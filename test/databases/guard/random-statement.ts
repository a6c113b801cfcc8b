import { seededRandom } from '../../../src/evaluation/statistics.ts'
import { scopedTables } from './scope-catalog.ts'

/** What a random statement is made with: the same numbers, the same statement. */
export interface Dice {
  /** A whole number from 0 to `below` - 1. */
  readonly roll: (below: number) => number
}

/** Dice that give the same numbers for the same seed. */
export const makeDice = (seed: number): Dice => {
  const random = seededRandom(seed)
  return { roll: below => (random() * 2 ** 32) % below }
}

interface Named {
  readonly name: string
  readonly columns: readonly string[]
}

/** What can be named at a place, the innermost sources first. */
interface Inside {
  readonly ctes: readonly Named[]
  readonly sources: readonly Named[]
  readonly depth: number
}

/**
 * A query over the tables of `scope-catalog.ts`, with everything that makes it hard to tell whose a column is:
 * aliases that are called like tables and columns, CTEs that hide tables, renamed columns, nested and correlated
 * subqueries, stars, USING and NATURAL. Most of them would run.
 */
export const randomStatement = (
  dice: Dice,
  options: { readonly lateral: boolean; readonly rows: boolean },
): string => {
  const { roll } = dice
  const pick = <T>(items: readonly T[]): T => items[roll(items.length)] as T
  const chance = (percent: number): boolean => roll(100) < percent
  const names = [...new Set(scopedTables.flatMap(({ columns }) => columns))]
  const aliases = ['a', 'b', 'x', 'customers', 'orders', 'people', 'email', 'name', 'id']
  const others = ['y', 'n', 'email', 'name', 'id', 'ssn']

  const column = ({ sources }: Inside): string => {
    if (sources.length === 0 || chance(8)) return pick(names)
    const source = pick(sources)
    const name = source.columns.length === 0 || chance(6) ? pick(names) : pick(source.columns)
    return chance(55) ? `${source.name}.${name}` : chance(10) ? `"${name}"` : name
  }

  const expression = (inside: Inside): string => {
    const deeper = { ...inside, depth: inside.depth + 1 }
    if (inside.depth > 3) return column(inside)
    switch (roll(14)) {
      case 0:
        return `count(${expression(deeper)})`
      case 1:
        return `coalesce(${column(inside)}, ${column(inside)})`
      case 2:
        return `(${query(deeper, 1).sql})`
      case 3:
        return `CASE WHEN ${condition(deeper)} THEN ${column(inside)} END`
      case 4:
        return 'count(*)'
      case 5:
        return `'${pick(names)}'`
      case 6:
        return options.rows && inside.sources.length > 0 ? pick(inside.sources).name : column(inside)
      default:
        return column(inside)
    }
  }

  const condition = (inside: Inside): string => {
    const deeper = { ...inside, depth: inside.depth + 1 }
    switch (inside.depth > 3 ? 3 : roll(8)) {
      case 0:
        return `EXISTS (${query(deeper, 1).sql})`
      case 1:
        return `${column(inside)} IN (${query(deeper, 1).sql})`
      case 2:
        return `${condition(deeper)} AND ${condition(deeper)}`
      case 3:
        return `${column(inside)} IS NOT NULL`
      default:
        return `${column(inside)} = ${column(inside)}`
    }
  }

  const source = (inside: Inside, before: readonly Named[]): { sql: string; named: Named } => {
    const alias = chance(70) ? pick(aliases) : null
    if (inside.depth < 3 && chance(25)) {
      const sees = options.lateral && chance(40)
      const inner = query({
        ...inside,
        sources: sees ? [...before, ...inside.sources] : inside.sources,
        depth: inside.depth + 1,
      })
      const known = alias ?? 'q'
      if (chance(20)) {
        const renamed = inner.columns.map((_, index) => others[index] ?? `c${index}`)
        const list = options.lateral ? `(${renamed.join(', ')})` : ''
        return {
          sql: `${sees ? 'LATERAL ' : ''}(${inner.sql}) AS ${known}${list}`,
          named: { name: known, columns: list === '' ? inner.columns : renamed },
        }
      }
      return {
        sql: `${sees ? 'LATERAL ' : ''}(${inner.sql}) AS ${known}`,
        named: { name: known, columns: inner.columns },
      }
    }
    const table = inside.ctes.length > 0 && chance(50) ? pick(inside.ctes) : pick(scopedTables)
    const renames = options.lateral && alias !== null && chance(8)
    return {
      sql: `${table.name}${alias === null ? '' : ` AS ${alias}`}${renames ? '(y, n, email)' : ''}`,
      named: {
        name: alias ?? table.name,
        columns: renames ? ['y', 'n', 'email', ...table.columns.slice(3)] : table.columns,
      },
    }
  }

  const from = (inside: Inside): { sql: string; sources: readonly Named[] } => {
    const first = source(inside, [])
    let sql = first.sql
    const sources = [first.named]
    for (let more = roll(10) < 5 ? roll(2) + 1 : 0; more > 0; more -= 1) {
      const next = source(inside, sources)
      const both = { ...inside, sources: [next.named, ...sources] }
      const shared = next.named.columns.filter(name => sources.some(one => one.columns.includes(name)))
      const way = roll(6)
      if (way === 0) sql += `, ${next.sql}`
      else if (way === 1 && chance(40)) sql += ` NATURAL JOIN ${next.sql}`
      else if (way === 2 && shared.length > 0) sql += ` JOIN ${next.sql} USING (${pick(shared)})`
      else
        sql += ` ${pick(['JOIN', 'LEFT JOIN'])} ${next.sql} ON ${condition({ ...both, depth: both.depth + 1 })}`
      sources.push(next.named)
    }
    return { sql, sources }
  }

  const query = (outer: Inside, width = roll(3) + 1): { sql: string; columns: readonly string[] } => {
    let inside = outer
    let head = ''
    if (outer.depth < 2 && chance(outer.depth === 0 ? 40 : 12)) {
      const name = pick(['x', 'c', 'customers', 'people', 'email'])
      const body = query({ ...outer, depth: outer.depth + 1 })
      const columns = chance(25) ? body.columns.map((_, index) => others[index] ?? `c${index}`) : null
      head = `WITH ${name}${columns === null ? '' : `(${columns.join(', ')})`} AS (${body.sql}) `
      inside = { ...outer, ctes: [{ name, columns: columns ?? body.columns }, ...outer.ctes] }
    }
    const { sql: sourcesSql, sources } = from(inside)
    const here = { ...inside, sources: [...sources, ...inside.sources] }
    const columns: string[] = []
    const outputs = Array.from({ length: width }, (_, index) => {
      if (width > 1 && chance(6)) {
        const star = pick(sources)
        columns.push(...star.columns)
        return chance(50) ? '*' : `${star.name}.*`
      }
      const alias = chance(70) ? (others[roll(others.length)] as string) : `c${index}`
      columns.push(alias)
      return `${expression({ ...here, depth: here.depth + 1 })} AS ${alias}`
    })
    const where = chance(35) ? ` WHERE ${condition({ ...here, depth: here.depth + 1 })}` : ''
    const order = chance(20) ? ` ORDER BY ${chance(50) ? pick(columns) : column(here)}` : ''
    return { sql: `${head}SELECT ${outputs.join(', ')} FROM ${sourcesSql}${where}${order}`, columns }
  }

  return query({ ctes: [], sources: [], depth: 0 }).sql
}
