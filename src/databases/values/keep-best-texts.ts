/** Texts that share less than this part of what the best one shares are not worth a closer look. */
export const minShareOfBest = 0.55

/** Holds on to the texts with the highest sums. */
export interface TopTexts {
  /** A sum has to be higher than this to be kept; it rises as better texts come in. */
  readonly floor: () => number
  readonly offer: (text: number, sum: number) => void
  /** Raises the floor as far as the offers so far allow. */
  readonly settle: () => void
  readonly texts: () => readonly number[]
}

/**
 * Keeps the `most` texts of highest sum, lower numbers first among equals. Offers are gathered and cut back now and
 * then, which is quicker than keeping them in order.
 */
export const makeTopTexts = (most: number, least: number): TopTexts => {
  let floor = least
  const kept: { readonly text: number; readonly sum: number }[] = []

  const cut = (): void => {
    kept.sort((a, b) => b.sum - a.sum || a.text - b.text)
    kept.length = Math.min(kept.length, most)
    if (kept.length === most) floor = Math.max(floor, kept.at(-1)!.sum)
  }

  return {
    floor: () => floor,
    offer: (text, sum) => {
      if (sum <= floor) return
      if (sum * minShareOfBest > floor) floor = Math.floor(sum * minShareOfBest)
      kept.push({ text, sum })
      if (kept.length >= most * 4) cut()
    },
    settle: cut,
    texts: () => {
      cut()
      return kept.map(({ text }) => text)
    },
  }
}
