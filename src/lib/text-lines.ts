/** Wraps text into lines of at most `width` characters; a longer word gets a line of its own. */
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
