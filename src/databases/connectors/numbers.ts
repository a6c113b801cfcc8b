import type { Cell } from '../../domain/result.ts'

const isSafe = (value: bigint): boolean =>
  value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER

/** A whole number as a `Cell`: a number where a double holds it exactly. */
export const wholeNumber = (value: bigint): number | bigint => (isSafe(value) ? Number(value) : value)

/** The significant digits that a double holds exactly for any decimal. */
const exactDigits = 15

/**
 * The text of a decimal as a `Cell`: `2.5000` is 2.5, and `2.000` is a whole number. More than 15 significant digits
 * stay text, and so does what is no decimal, such as NaN.
 */
export const parseDecimal = (text: string): Cell => {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text
  const plain = text.includes('.') ? text.replace(/\.?0+$/, '') : text
  if (!plain.includes('.')) return wholeNumber(BigInt(plain))
  const digits = plain.replace(/[-.]/g, '').replace(/^0+/, '')
  return digits.length <= exactDigits ? Number(plain) : text
}

/** NaN and the infinities stay text: JSON has no form for them, and arithmetic with them misleads. */
export const parseFloating = (text: string): Cell => {
  const value = Number(text)
  return text.trim() !== '' && Number.isFinite(value) ? value : text
}
