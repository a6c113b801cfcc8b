/** A piece of a knowledge file: a heading, a bullet with the lines that go on it, or a paragraph. */
export interface KnowledgeBlock {
  readonly kind: 'section' | 'entry' | 'bullet' | 'text'
  readonly text: string
  /** Counted from 1. */
  readonly line: number
}

/**
 * Cuts the body of a knowledge file into its pieces. `first` is the number of its first line. A title (`# ...`) and
 * comments (`<!-- ... -->`) are for readers alone; what is indented goes on with the bullet above it.
 */
export const splitKnowledgeBlocks = (body: string, first: number): readonly KnowledgeBlock[] => {
  const pieces: KnowledgeBlock[] = []
  const visible = body.replace(/<!--[\s\S]*?-->/g, comment => comment.replace(/[^\n]/g, ''))
  let goesOn = false
  for (const [index, raw] of visible.split(/\r?\n/).entries()) {
    const line = first + index
    const text = raw.trim()
    const [, marks = '', heading = ''] = /^(#+)\s+(.*)$/.exec(text) ?? []
    const bullet = /^[-*]\s+(.*)$/.exec(raw)?.[1]
    const last = pieces.at(-1)
    if (text === '') goesOn = false
    else if (marks === '#') goesOn = false
    else if (marks !== '') {
      pieces.push({ kind: marks === '##' ? 'section' : 'entry', text: heading.trim(), line })
      goesOn = false
    } else if (bullet !== undefined) {
      pieces.push({ kind: 'bullet', text: bullet.trim(), line })
      goesOn = true
    } else if (goesOn && last) pieces[pieces.length - 1] = { ...last, text: `${last.text} ${text}` }
    else {
      pieces.push({ kind: 'text', text, line })
      goesOn = true
    }
  }
  return pieces
}
