import type { Cell, ResultTable, ValueKind } from '../../src/domain/result.ts'

/** A result with these rows. Kinds are `unknown` unless given; without rows, `width` says how many columns. */
export const makeTable = (
  rows: readonly (readonly Cell[])[],
  { kinds, width = 1 }: { kinds?: readonly ValueKind[]; width?: number } = {},
): ResultTable => ({
  columns: Array.from({ length: rows[0]?.length ?? width }, (_, c) => ({
    name: `c${c}`,
    kind: kinds?.[c] ?? 'unknown',
  })),
  rows,
  truncated: null,
  milliseconds: 1,
})
