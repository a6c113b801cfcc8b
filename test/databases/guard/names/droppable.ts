/** Marks around a clause that a statement may also do without, so that a failing one can be made smaller. */
const open = '\ue000'
const close = '\ue001'

/** A clause that may be left out. */
export const droppable = (clause: string): string => (clause === '' ? '' : `${open}${clause}${close}`)

/** The statement as it is sent. */
export const withoutMarks = (marked: string): string => marked.replaceAll(open, '').replaceAll(close, '')

/** Each statement that is left when one clause is dropped, the longest clause first. */
const smaller = (marked: string): readonly string[] => {
  const starts: number[] = []
  const spans: (readonly [number, number])[] = []
  for (let at = 0; at < marked.length; at += 1) {
    if (marked[at] === open) starts.push(at)
    else if (marked[at] === close) spans.push([starts.pop() ?? 0, at + 1])
  }
  return spans
    .toSorted(([a, b], [c, d]) => d - c - (b - a))
    .map(([from, to]) => marked.slice(0, from) + marked.slice(to))
}

/** Drops clauses as long as the statement still fails. */
export const shrink = async (
  marked: string,
  fails: (sql: string) => Promise<boolean>,
  tries = 60,
): Promise<string> => {
  let left = tries
  let current = marked
  for (;;) {
    let next: string | null = null
    for (const candidate of smaller(current)) {
      if (left === 0) return withoutMarks(current)
      left -= 1
      if (await fails(withoutMarks(candidate))) {
        next = candidate
        break
      }
    }
    if (next === null) return withoutMarks(current)
    current = next
  }
}
