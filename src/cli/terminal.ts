import { type Readable, Writable } from 'node:stream'
import type { WriteStream } from 'node:tty'
import { SingleBar } from 'cli-progress'
import type { OnProgress } from '../bootstrap/resources.ts'

/** Where a command reads and writes: answers on `out`, everything else on `err`. */
export interface Terminal {
  readonly out: Writable
  readonly err: Writable & { readonly isTTY?: boolean }
  readonly input: Readable & { readonly isTTY?: boolean }
  /** True when a person sits at both ends: questions back may be asked, progress may be drawn. */
  readonly interactive: boolean
  /** Folder that relative paths on the command line are meant from. */
  readonly folder: string
}

/** The terminal of this process. */
export const processTerminal = (): Omit<Terminal, 'folder'> => ({
  // A file or a pipe gets every character as it is.
  out: process.stdout.isTTY ? printableStream(process.stdout) : process.stdout,
  err: process.stderr,
  input: process.stdin,
  interactive: process.stdin.isTTY === true && process.stderr.isTTY === true,
})

/** Everything by which text steers a terminal; line breaks, tabs, and weight and colour of letters as we set them stay. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
const controls = /(?!\r\n|\u001b\[(?:[1-4]|2[2-4]|3[0-79]|9[0-7])m)[\p{Cc}--[\t\n]]/gv

/**
 * Text of a database or of a person for a terminal: a value that holds escape sequences must not move the cursor, fill
 * the clipboard or pretend to be output of ours.
 */
export const replaceControls = (text: string): string => text.replaceAll(controls, '\ufffd')

/** Writes to a terminal what is printable; as wide as the terminal is when it is asked. */
export const printableStream = (
  terminal: Writable & Pick<WriteStream, 'columns'>,
): Writable & Pick<WriteStream, 'columns'> => {
  const out = new Writable({
    decodeStrings: false,
    // That the terminal is gone is the terminal's own error.
    write: (chunk: string | Buffer, _encoding, done) => {
      terminal.write(replaceControls(chunk.toString()), () => done())
    },
  })
  return Object.defineProperty(out, 'columns', { get: () => terminal.columns }) as typeof out &
    Pick<WriteStream, 'columns'>
}

/** How many characters a line of a terminal has; undefined where output goes to a file or a pipe. */
export const terminalWidth = (out: object): number | undefined =>
  'columns' in out && typeof out.columns === 'number' && out.columns > 0 ? out.columns : undefined

/** Progress of long work: a bar on a terminal, and nothing where nobody watches. */
interface ProgressBar {
  readonly onProgress: OnProgress
  /** Takes the bar away. The next progress draws a new one. */
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
          stream: terminal.err as NodeJS.WriteStream,
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
 * Writes one JSON value and a newline. Whole numbers past 2^53 become text, because most readers of JSON would
 * silently round them; bytes become hexadecimal text.
 */
export const writeJson = (out: Writable, value: unknown): void => {
  out.write(`${JSON.stringify(value, replaceUnwritable)}\n`)
}

/** A plain function for its `this`: a Buffer has turned itself into an object before it comes here as a value. */
function replaceUnwritable(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const held = this[key]
  if (typeof held === 'bigint') return held.toString()
  if (held instanceof Uint8Array) return `0x${Buffer.from(held).toString('hex')}`
  return value
}
