/**
 * How large a value can get: an upper bound from literals and nesting. What a column holds is not known here, so it
 * counts as a text of `columnLength` and a number without bounds.
 */
export interface Extent {
  /** Most characters, written as text. */
  readonly length: number
  /** Most elements, if it is a list. */
  readonly items: number
  /** Bounds of its number. */
  readonly low: number
  readonly high: number
}

/** What a column of a table counts as. */
export const columnLength = 1_000

/** Rows that a table counts as, where the rows of one value or one sort are put together. */
export const tableRows = 1_000

const unbounded = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }

/** A text or a list without bounds for its number. */
export const textOf = (length: number, items = length): Extent => ({ length, items, ...unbounded })

export const column: Extent = textOf(columnLength)

/** A number that a function gives. */
export const numberOf = (low: number, high: number): Extent => ({ length: 40, items: 1, low, high })

/** Of no value at all: what a recursive query begins with. */
export const nothing: Extent = {
  length: 0,
  items: 0,
  low: Number.POSITIVE_INFINITY,
  high: Number.NEGATIVE_INFINITY,
}

/** A number as written, which can be short and mean many digits: `1e131071`. */
export const literalNumber = (written: string): Extent => {
  const value = Number(written.replaceAll('_', ''))
  const exponent = Math.abs(Number(/e([-+]?\d+)/i.exec(written)?.[1] ?? 0))
  return { length: written.length + exponent, items: 1, low: value, high: value }
}

/** One of several values. */
export const eitherOf = (extents: readonly Extent[]): Extent =>
  extents.reduce(
    (a, b) => ({
      length: Math.max(a.length, b.length),
      items: Math.max(a.items, b.items),
      low: Math.min(a.low, b.low),
      high: Math.max(a.high, b.high),
    }),
    nothing,
  )

/** Several values one behind the other; `more` characters come on top. */
export const together = (extents: readonly Extent[], more = 0): Extent =>
  textOf(
    extents.reduce((sum, { length }) => sum + length, more),
    extents.reduce((sum, { items }) => sum + items, 0),
  )

/** A number within bounds that are known; not a number is no bound. */
const bounded = (length: number, low: number, high: number): Extent => ({
  length,
  items: 1,
  low: Number.isNaN(low) ? unbounded.low : low,
  high: Number.isNaN(high) ? unbounded.high : high,
})

/** The result of an arithmetic operator. */
export const calculated = (operator: '+' | '-' | '*' | '/' | '%', a: Extent, b: Extent): Extent => {
  const digits = Math.max(a.length, b.length)
  switch (operator) {
    case '+':
      return bounded(digits + 1, a.low + b.low, a.high + b.high)
    case '-':
      return bounded(digits + 1, a.low - b.high, a.high - b.low)
    case '*': {
      const corners = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high]
      return bounded(a.length + b.length + 1, Math.min(...corners), Math.max(...corners))
    }
    case '/':
      // Divided by one or more it can only come nearer to zero.
      return b.low >= 1
        ? bounded(digits + 40, Math.min(a.low, 0), Math.max(a.high, 0))
        : bounded(digits + 40, unbounded.low, unbounded.high)
    case '%': {
      const most = Math.max(Math.abs(b.low), Math.abs(b.high))
      return bounded(digits, -most, most)
    }
    default: {
      const never: never = operator
      return never
    }
  }
}
