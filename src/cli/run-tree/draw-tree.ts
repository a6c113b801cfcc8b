/** A branch of a tree: its line, lines that belong to it, and what hangs from it. `paint` colours the first line. */
export interface Branch {
  readonly line: string
  readonly paint?: (line: string) => string
  readonly notes?: readonly { readonly text: string; readonly paint?: (line: string) => string }[]
  readonly branches?: readonly Branch[]
}

/** A note is wrapped into at most so many lines; the last ends in an ellipsis where more was to come. */
const MAX_LINES = 4

/** Draws a tree in lines of at most `width` characters, colours not counted. */
export const drawTree = (root: Branch, width: number): readonly string[] => [
  ...wrap(root.line, width).map(root.paint ?? stripColors),
  ...drawUnder(root, '', width),
]

const stripColors = (line: string): string => line

const drawUnder = ({ notes = [], branches = [] }: Branch, indent: string, width: number): string[] => {
  const stem = branches.length > 0 ? '│  ' : '   '
  return [
    ...notes.flatMap(({ text, paint = stripColors }) =>
      wrap(text, width - indent.length - stem.length).map(line => `${indent}${stem}${paint(line)}`),
    ),
    ...branches.flatMap((branch, i) => drawBranch(branch, indent, i === branches.length - 1, width)),
  ]
}

const drawBranch = (branch: Branch, indent: string, isLast: boolean, width: number): string[] => {
  const { line, paint = stripColors } = branch
  const under = `${indent}${isLast ? '   ' : '│  '}`
  const [first = '', ...rest] = wrap(line, width - under.length)
  return [
    `${indent}${isLast ? '└─ ' : '├─ '}${paint(first)}`,
    ...rest.map(more => `${under}${paint(more)}`),
    ...drawUnder(branch, under, width),
  ]
}

/** Breaks text at spaces, and inside a word where it is longer than a line. White space runs together. */
const wrap = (text: string, width: number): readonly string[] => {
  const room = Math.max(width, 20)
  const lines: string[] = []
  let line = ''
  for (const word of text.replace(/\s+/g, ' ').trim().split(' ').flatMap(splitAt(room))) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  lines.push(line)
  if (lines.length <= MAX_LINES) return lines
  const last = lines[MAX_LINES - 1] ?? ''
  return [...lines.slice(0, MAX_LINES - 1), `${last.slice(0, room - 2)} …`]
}

const splitAt =
  (room: number) =>
  (word: string): readonly string[] =>
    Array.from({ length: Math.ceil(word.length / room) || 1 }, (_, i) => word.slice(i * room, (i + 1) * room))
