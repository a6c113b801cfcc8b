import type { Dice } from '../random-statement.ts'
import { confuse, isNear, keywordNames, type Spelled, writeExactly, writeNearly } from './name-spellings.ts'
import type { NamesOptions } from './names-statement.ts'

/** How the names of one statement are chosen and written. */
export interface Naming {
  /** A name for an alias or a query of WITH: new, or that of a table or column, or nearly that. */
  readonly invent: (what: 'alias' | 'cte') => Spelled
  /** A name for a column that the statement makes. */
  readonly output: () => string
  /** Writes a name that the statement has given, mostly so that it is found. */
  readonly refer: (raw: string) => string
  readonly exactly: (raw: string) => string
  /** A name that is nearly this one; the name itself in a statement with ordinary names. */
  readonly nearly: (raw: string) => string
  /** Writes the name of a table, with its schema in front or without. */
  readonly table: (name: string) => string
}

const plainNames = ['q', 'x', 'y', 't1', 'totals', 'big', 'per_month'] as const
const plainColumns = ['n', 'v', 'total', 'label', 'k'] as const

/** The last part of `a.b`, and what stands before it. */
export const pathOf = (name: string): { readonly path: string; readonly last: string } => {
  const at = name.lastIndexOf('.') + 1
  return { path: name.slice(0, at), last: name.slice(at) }
}

/** `isWild`: names may be nearly those of something else. */
export const makeNaming = (dice: Dice, options: NamesOptions, isWild: boolean): Naming => {
  const { roll } = dice
  const { grammar, tables } = options
  const pick = <T>(items: readonly T[]): T => items[roll(items.length)] as T
  const chance = (percent: number): boolean => roll(100) < percent
  const tableNames = tables.map(({ name }) => pathOf(name).last.replace(/\(.*$/, ''))
  const columnNames = [...new Set(tables.flatMap(({ columns }) => columns.map(({ name }) => name)))]
  let made = 0

  const exactly = (raw: string): string => writeExactly(dice, grammar, raw)
  const fresh = (): Spelled => {
    made += 1
    const raw = chance(50) ? `${pick(plainNames)}_${made}` : `${pick(plainNames)}${made}`
    return { raw, written: raw }
  }

  return {
    exactly,
    nearly: raw => (isWild ? writeNearly(dice, grammar, raw).written : exactly(raw)),
    invent: what => {
      const kind = roll(100)
      if (kind < (isWild ? 30 : options.shadows ? 72 : 100)) return fresh()
      if (isWild && kind < 75) return writeNearly(dice, grammar, pick(chance(80) ? tableNames : columnNames))
      const raw = pick(kind < 90 || what === 'cte' ? tableNames : chance(60) ? columnNames : keywordNames)
      return { raw, written: exactly(raw) }
    },
    output: () => {
      if (chance(isWild ? 40 : options.shadows ? 62 : 85)) {
        made += 1
        return `${pick(plainColumns)}${made}`
      }
      const raw = pick(columnNames)
      return isWild && chance(20) ? confuse(dice, raw) : raw
    },
    refer: raw => {
      if (!isWild || chance(55)) return exactly(raw)
      // Whatever table the name is close to.
      const near = tableNames.find(name => isNear(name, raw))
      return near !== undefined && chance(85) ? exactly(near) : writeNearly(dice, grammar, raw).written
    },
    table: name => {
      const { path, last } = pathOf(name)
      const written = last.includes('(')
        ? last
        : isWild && chance(18)
          ? writeNearly(dice, grammar, last).written
          : exactly(last)
      if (path !== '') return `${path}${written}`
      return chance(14) && grammar.paths.length > 0 ? `${pick(grammar.paths)}${written}` : written
    },
  }
}
