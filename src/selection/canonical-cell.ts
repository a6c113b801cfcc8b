import type { Cell, ValueKind } from '../core/result.ts'

/**
 * A cell as text that is equal for equal values: 1, 1.0, 1n and true meet, the text '1' stays apart, and doubles
 * are cut at 12 significant digits because two plans may add the same numbers in another order. Decimals that no
 * double holds come as text in a column of numbers, and are numbers here.
 */
export const canonicalCell = (cell: Cell, kind: ValueKind): string => {
  if (cell === null) return 'null'
  if (typeof cell === 'boolean') return cell ? 'n:1' : 'n:0'
  if (typeof cell === 'bigint') return `n:${cell}`
  if (typeof cell === 'number') return `n:${canonicalNumber(cell)}`
  if (typeof cell === 'string') {
    const isDecimal = kind === 'number' && /^-?\d+\.\d+$/.test(cell)
    return isDecimal ? `n:${canonicalNumber(Number(cell))}` : `t:${cell}`
  }
  return `b:${Buffer.from(cell).toString('hex')}`
}

const canonicalNumber = (value: number): string =>
  Number.isSafeInteger(value) ? String(value === 0 ? 0 : value) : String(Number(value.toPrecision(12)))
