import { createHash } from 'node:crypto'

/** Two clicks within this are one; after twice this they are two. */
const DOUBLE_CLICK_SECONDS = 5

/**
 * Keys under which a click is claimed, so that a double click asks once. Time is cut into windows, and a click claims its
 * own and the next: a second click in either finds one of its keys taken.
 */
export const doubleClickKeys = (
  clicked: { readonly person: string; readonly where: string; readonly text: string },
  clickedAt: Date,
): readonly string[] => {
  const { person, where, text } = clicked
  const what = createHash('sha256').update(text).digest('hex').slice(0, 16)
  const window = Math.floor(clickedAt.getTime() / 1_000 / DOUBLE_CLICK_SECONDS)
  return [window, window + 1].map(n => `click ${where} ${person} ${what} ${n}`)
}
