/** A line of one text that the other does not have. */
interface ChangedLine {
  readonly kind: 'removed' | 'added'
  readonly line: string
}

/** Lines that differ between two texts, in order: the longest common subsequence is left out. For files of settings. */
export const diffLines = (before: string, after: string): readonly ChangedLine[] => {
  const [a, b] = [before.split('\n'), after.split('\n')]
  // common[i][j]: the most lines that a from i on and b from j on have in common.
  const common = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i]![j] =
        a[i] === b[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!)
  const changed: ChangedLine[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      i++
      j++
    } else if (j >= b.length || (i < a.length && common[i + 1]![j]! >= common[i]![j + 1]!)) {
      changed.push({ kind: 'removed', line: a[i++]! })
    } else changed.push({ kind: 'added', line: b[j++]! })
  }
  return changed
}

/** Text cut into lines of at most `width` characters between words; a longer word has a line of its own. */
export const wrapWords = (text: string, width: number): readonly string[] =>
  text.split('\n').flatMap(paragraph => {
    const lines: string[] = []
    for (const word of paragraph.split(' ')) {
      const last = lines.at(-1)
      if (last !== undefined && last.length + 1 + word.length <= width)
        lines[lines.length - 1] = `${last} ${word}`
      else lines.push(word)
    }
    return lines
  })
