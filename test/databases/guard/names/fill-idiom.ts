import type { Dice } from '../random-statement.ts'
import type { NamesOptions } from './names-statement.ts'
import { type Naming, pathOf } from './naming.ts'

/**
 * Fills in one of the dialect's own forms: `{T}` a table, `{t}` its name alone, `{c}`, `{n}`, `{s}` its columns (any, a
 * number, a text), `{d}` and `{x}` names of columns that may be new, `{a}`, `{b}`, `{j}` aliases, `{C}` a name for WITH.
 * `{x}` is nearly `{d}`.
 */
export const fillIdiom = (dice: Dice, options: NamesOptions, naming: Naming): string => {
  const { roll } = dice
  const { grammar, tables } = options
  const pick = <T>(items: readonly T[]): T => items[roll(items.length)] as T
  const table = pick(tables)
  const last = pathOf(table.name).last
  const rare = new Set(options.hidden ?? [])
  const columnNamed = (type: 'int' | 'text' | null): string => {
    const fitting = table.columns.filter(one => type === null || one.type === type)
    const open = fitting.filter(({ name }) => !rare.has(name))
    return pick(roll(100) < 70 && open.length > 0 ? open : fitting.length > 0 ? fitting : table.columns).name
  }
  const column = columnNamed(null)
  const made = roll(100) < 55 ? columnNamed(null) : naming.output()
  const number = naming.exactly(columnNamed('int'))
  const text = naming.exactly(columnNamed('text'))
  // An alias that is called like the table, a column or nothing else.
  const alias = roll(100) < 25 ? last : roll(100) < 20 ? column : 'q1'
  const other = roll(100) < 25 ? last : 'q2'
  const bare = last.replace(/\(.*$/, '')
  const kind = roll(100)
  const cte =
    kind < 40
      ? naming.nearly(bare)
      : kind < 70 || !options.shadows
        ? naming.invent('cte').written
        : naming.exactly(bare)
  const fill: Readonly<Record<string, () => string>> = {
    T: () => naming.table(table.name),
    t: () => (last.includes('(') ? last : naming.exactly(last)),
    c: () => naming.exactly(column),
    n: () => number,
    s: () => text,
    d: () => naming.exactly(made),
    x: () => naming.refer(made),
    a: () => naming.refer(alias.replace(/\(.*$/, '')),
    b: () => naming.refer(other.replace(/\(.*$/, '')),
    j: () => naming.refer('j'),
    C: () => cte,
  }
  return pick(grammar.idioms).replaceAll(/\{([A-Za-z])\}/g, (whole, key: string) => fill[key]?.() ?? whole)
}
