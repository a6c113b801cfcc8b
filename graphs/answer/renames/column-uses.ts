import type { ColumnUse, Source } from '../../../src/sql/query-scope.ts'
import type { SelectBlock } from '../fixes/select-blocks.ts'
import { hasColumn, nameOfSource, tableOfSource } from '../fixes/sources-in-sight.ts'
import { type Statement, sameName } from '../fixes/statement.ts'

/** A column as a SELECT names it, and the source that had it. */
export interface OwnedColumnUse {
  readonly block: SelectBlock
  readonly use: ColumnUse
  readonly source: Source
  /** The SELECT that the source is of: this one, or one around it. */
  readonly home: SelectBlock
  /** The table behind the source, in lower case. */
  readonly table: string
}

/** Every column that a statement names, with each source that may have had it. `past` is read with the old catalog. */
export const columnUses = (past: Statement): readonly OwnedColumnUse[] =>
  past.blocks.flatMap(block =>
    (block.scope?.columns ?? []).flatMap(use => {
      if (use.column === '*') return []
      if (use.mayBeOutput && block.scope?.outputs.has(use.column.toLowerCase())) return []
      return ownersOf(use, block, past).map(owner => ({ block, use, ...owner }))
    }),
  )

/** Those of the nearest SELECT that has any: what is further out is hidden. */
const ownersOf = (
  use: ColumnUse,
  block: SelectBlock,
  past: Statement,
): readonly Pick<OwnedColumnUse, 'source' | 'home' | 'table'>[] => {
  for (let home: SelectBlock | null = block; home !== null; home = home.parent) {
    const owners: Pick<OwnedColumnUse, 'source' | 'home' | 'table'>[] = []
    for (const source of home.scope?.sources ?? []) {
      const table = tableOfSource(source, past)
      if (!table || !hasColumn(table, use.column, past)) continue
      const called = nameOfSource(source)
      if (use.qualifier === null || (called !== null && sameName(called, use.qualifier, past)))
        owners.push({ source, home, table: table.name.toLowerCase() })
    }
    if (owners.length > 0) return owners
  }
  return []
}
