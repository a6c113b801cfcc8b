import { createReadStream } from 'node:fs'

const NEWLINE = 0x0a

/** A line, and where in the file it lies: in bytes, without its end. Only the last one may have none. */
export interface LocatedLine {
  readonly text: string
  readonly isEnded: boolean
  readonly from: number
  readonly length: number
}

/** The lines of a file from a byte on, one in memory at a time; the last one also where nothing ends it. */
export async function* readLines(path: string, start = 0): AsyncGenerator<LocatedLine> {
  let from = start
  let parts: Buffer[] = []
  const take = (isEnded: boolean): LocatedLine => {
    const line = Buffer.concat(parts)
    parts = []
    return { text: line.toString(), isEnded, from, length: line.length }
  }
  for await (const chunk of createReadStream(path, { start }) as AsyncIterable<Buffer>) {
    let rest = chunk
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
      parts.push(rest.subarray(0, end))
      rest = rest.subarray(end + 1)
      const line = take(true)
      from += line.length + 1
      yield line
    }
    if (rest.length > 0) parts.push(rest)
  }
  if (parts.length > 0) yield take(false)
}
