import { withoutInvisible } from './inert-text.ts'

const decimal = /^-?\d+\.\d+$/

/**
 * Formats one value for people: a dash for NULL and empty text, thousands separators if `grouped`, at most `maxLength`
 * characters (with an ellipsis if cut), and only a size for bytes. `kind` is the column's: a decimal that a double
 * cannot hold arrives as text and is still formatted as a number.
 */
export const formatCell = (
  cell: null | boolean | number | bigint | string | Uint8Array,
  options: { readonly maxLength?: number; readonly grouped?: boolean; readonly kind?: string } = {},
): string => {
  if (cell === null || cell === '') return '–'
  if (typeof cell === 'number' || typeof cell === 'bigint')
    return formatNumber(cell, options.grouped ?? false)
  if (options.kind === 'number' && typeof cell === 'string' && decimal.test(cell)) {
    return formatNumber(Number(cell), options.grouped ?? false)
  }
  if (cell instanceof Uint8Array) return `(${cell.length} bytes)`
  const text = toOneLine(String(cell)) || '–'
  const { maxLength = Number.POSITIVE_INFINITY } = options
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text
}

/**
 * Text on one line, without characters that move or hide what stands around them. Where one of them may stand for a space
 * there is one.
 */
export const toOneLine = (text: string): string =>
  withoutInvisible(
    text.replace(
      /[\p{Cc}\u2028\u2029\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]+/gu,
      ' ',
    ),
  )

/** Doubles are shown with at most six decimals: the rest is summation noise. */
const formatNumber = (value: number | bigint, useGrouping: boolean): string =>
  value.toLocaleString('en-US', {
    useGrouping,
    ...(isTiny(value) ? { maximumSignificantDigits: 6 } : { maximumFractionDigits: 6 }),
  })

const isTiny = (value: number | bigint): boolean =>
  typeof value === 'number' && Math.abs(value) < 1e-4 && Math.abs(value) > 1e-12
