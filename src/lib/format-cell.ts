/**
 * One value as a person reads it: a dash for NULL and for empty text, thousands separated in `spaced` numbers,
 * at most `maxLength` characters (an ellipsis says where text was cut), and only a size for bytes.
 */
export const formatCell = (
  cell: null | boolean | number | bigint | string | Uint8Array,
  options: { readonly maxLength?: number; readonly grouped?: boolean } = {},
): string => {
  if (cell === null || cell === '') return '–'
  if (typeof cell === 'number' || typeof cell === 'bigint')
    return formatNumber(cell, options.grouped ?? false)
  if (cell instanceof Uint8Array) return `(${cell.length} bytes)`
  const text = String(cell)
  const { maxLength = Number.POSITIVE_INFINITY } = options
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text
}

/** Doubles are shown with at most six decimals: what comes after is the noise of adding them up. */
const formatNumber = (value: number | bigint, useGrouping: boolean): string =>
  value.toLocaleString('en-US', { useGrouping, maximumFractionDigits: 6 })
