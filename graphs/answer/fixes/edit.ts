/** Replaces what stands at [start, end) in UTF-16 units. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The text with all edits made, which must not overlap. */
export const applyEdits = (text: string, edits: readonly Edit[]): string =>
  [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((rest, { start, end, text }) => rest.slice(0, start) + text + rest.slice(end), text)
