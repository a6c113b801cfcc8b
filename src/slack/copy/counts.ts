/** A number with thousands separators. */
export const formatNumber = (value: number): string => value.toLocaleString('en-US')

/** "1 row", "1,204 rows". */
export const formatCount = (count: number, noun: string, plural = `${noun}s`): string =>
  `${formatNumber(count)} ${count === 1 ? noun : plural}`

/** "and 3 more". */
export const andMore = (count: number): string => `and ${formatNumber(count)} more`

/** "50 of 1,204 rows". `isAtLeast`: there are more than were read. */
export const formatShare = (shown: number, all: number, noun: string, isAtLeast = false): string =>
  `${formatNumber(shown)} of ${isAtLeast ? 'more than ' : ''}${formatNumber(all)} ${noun}`
