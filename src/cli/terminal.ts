import { type Readable, Writable } from 'node:stream'
import type { WriteStream } from 'node:tty'
import { SingleBar } from 'cli-progress'
import { diffArrays } from 'diff'
import pc from 'picocolors'
import type { OnProgress } from '../domain/operations/telemetry.ts'

/** Standard error. `screen` takes what moves the cursor: bars and prompts, but no text of a database. */
export type ErrorStream = Writable & { readonly isTTY?: boolean; readonly screen?: Writable }

/** Where a command reads and writes: answers on `out`, everything else on `err`. */
export interface Terminal {
  readonly out: Writable
  readonly err: ErrorStream
  readonly input: Readable & { readonly isTTY?: boolean }
  /** True if both input and output are a terminal, so that a person can be asked. */
  readonly interactive: boolean
  /** The folder where relative paths of arguments start. */
  readonly folder: string
}

/** The terminal of this process. */
export const processTerminal = (): Omit<Terminal, 'folder'> => ({
  // A file or a pipe gets every character unchanged.
  out: process.stdout.isTTY ? printableStream(process.stdout) : process.stdout,
  err: process.stderr.isTTY
    ? Object.assign(printableStream(process.stderr), { isTTY: true, screen: process.stderr })
    : process.stderr,
  input: process.stdin,
  interactive: process.stdin.isTTY === true && process.stderr.isTTY === true,
})

/**
 * Control characters and marks that turn the direction of a text around, except line breaks, tabs, and the styles and
 * colors that Querent uses.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
const controls = /(?!\r\n|\u001b\[(?:[1-4]|2[2-4]|3[0-79]|9[0-7])m)[[\p{Cc}\p{Bidi_Control}]--[\t\n]]/gv

/**
 * Replaces control characters in text of a database or a person, so that a value with escape sequences cannot move the
 * cursor, change the clipboard or fake output.
 */
export const replaceControls = (text: string): string => text.replaceAll(controls, '\ufffd')

/** A stream that writes to a terminal without control characters. */
export const printableStream = (
  terminal: Writable & Pick<WriteStream, 'columns'>,
): Writable & Pick<WriteStream, 'columns'> => {
  const out = new Writable({
    decodeStrings: false,
    // An error of the terminal is reported by the terminal's own stream.
    write: (chunk: string | Buffer, _encoding, done) => {
      // Without waiting for the write itself: what is drawn on the terminal in between would come first.
      if (terminal.write(replaceControls(chunk.toString()))) done()
      else terminal.once('drain', done)
    },
  })
  return Object.defineProperty(out, 'columns', { get: () => terminal.columns }) as typeof out &
    Pick<WriteStream, 'columns'>
}

/** The width of a terminal in characters; undefined for a file or a pipe. */
export const terminalWidth = (out: object): number | undefined =>
  'columns' in out && typeof out.columns === 'number' && out.columns > 0 ? out.columns : undefined

/** Where bars and prompts are drawn. */
export const screenOf = ({ err }: Pick<Terminal, 'err'>): Writable => err.screen ?? err

/** The progress of long work: a bar on a terminal, or nothing. */
interface ProgressBar {
  readonly onProgress: OnProgress
  /** Removes the bar. The next progress draws a new one. */
  clear(): void
}

export const makeProgressBar = (terminal: Pick<Terminal, 'err' | 'interactive'>): ProgressBar => {
  let bar: SingleBar | null = null
  const clear = (): void => {
    bar?.stop()
    bar = null
  }
  if (!terminal.err.isTTY) return { onProgress: () => {}, clear }
  return {
    clear,
    onProgress: ({ doing, share }) => {
      if (!bar) {
        bar = new SingleBar({
          format: '{doing} {bar} {percentage} %',
          stream: screenOf(terminal) as NodeJS.WriteStream,
          clearOnComplete: true,
          hideCursor: true,
        })
        bar.start(100, 0, { doing })
      }
      bar.update(Math.floor(share * 100), { doing })
      if (share >= 1) clear()
    },
  }
}

/**
 * Writes one JSON value and a newline. Whole numbers above 2^53 become text, because most JSON parsers would round them.
 * Bytes become hexadecimal text.
 */
export const writeJson = (out: Writable, value: unknown): void => {
  out.write(`${JSON.stringify(value, replaceUnwritable)}\n`)
}

/** A function for its `this`: a Buffer is already converted to an object when it arrives as a value. */
function replaceUnwritable(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const held = this[key]
  if (typeof held === 'bigint') return held.toString()
  if (held instanceof Uint8Array) return `0x${Buffer.from(held).toString('hex')}`
  return value
}

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

/** What a change of a text takes away and adds, line by line; `removes`: whether it takes away more than empty lines. */
export const changedLines = (
  before: string,
  after: string,
): { readonly lines: readonly string[]; readonly removes: boolean } => {
  const changes = diffArrays(before.split('\n'), after.split('\n')).filter(
    ({ added, removed }) => added || removed,
  )
  return {
    lines: changes.flatMap(({ removed, value }) =>
      value.map(line => (removed ? pc.red(`- ${line}`) : pc.green(`+ ${line}`))),
    ),
    removes: changes.some(({ removed, value }) => removed && value.some(line => line.trim() !== '')),
  }
}
