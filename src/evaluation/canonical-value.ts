import type { Cell, ValueKind } from '../core/result.ts'

/** Longest run of zeros that is written out; a decimal with more of them is compared as it was printed. */
const MAX_ZEROS = 5000

/**
 * A cell as a number or tagged text that is the same (as a key of a Map) exactly for cells that compare equal in
 * Python, where BIRD's scores are computed: 1, 1.0, 1n and true meet; the text '1' stays apart; NULL equals NULL.
 * Numbers are compared exactly; a double and a decimal meet when they print alike. A string in a column of
 * numbers is a decimal (core/result.ts). Dates are ISO text by the time they are here and compare as text.
 */
export const canonicalValue = (cell: Cell, kind: ValueKind): number | string => {
  if (cell === null) return '-'
  switch (typeof cell) {
    case 'boolean':
      return Number(cell)
    case 'number':
      return Number.isInteger(cell) && !Number.isSafeInteger(cell) ? `n${BigInt(cell)}` : cell
    case 'bigint':
      return Number.isSafeInteger(Number(cell)) ? Number(cell) : `n${cell}`
    case 'string':
      return kind === 'number' || kind === 'integer' ? canonicalDecimal(cell) : `t${cell}`
    default:
      return `b${Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString('hex')}`
  }
}

const canonicalDecimal = (text: string): number | string => {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return `t${text}`
  const written = expandExponent(text)
  const double = Number(written)
  const isDouble = Number.isSafeInteger(double) || !Number.isInteger(double)
  return isDouble && expandExponent(String(double)) === written ? double : `n${written}`
}

/** A decimal without exponent, leading or trailing zeros. */
const expandExponent = (text: string): string => {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const digits = `${whole}${fraction}`.replace(/0+$/, '')
  const point = whole.length + Number(exponent)
  if (Math.abs(point) > MAX_ZEROS) return text
  const padded = point <= 0 ? `${'0'.repeat(1 - point)}${digits}` : digits.padEnd(point, '0')
  const at = Math.max(point, 1)
  const integer = padded.slice(0, at).replace(/^0+(?=\d)/, '')
  const rest = padded.slice(at)
  const size = rest === '' ? integer : `${integer}.${rest}`
  return sign === '-' && size !== '0' ? `-${size}` : size
}
