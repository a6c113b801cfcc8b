import { Writable } from 'node:stream'
import type { WriteStream } from 'node:tty'

/** Everything by which text steers a terminal; line breaks and tabs stay. */
const controls = /(?!\r\n)[\p{Cc}--[\t\n]]/gv

/**
 * Text of a database or of a person for a terminal: a value that holds escape sequences must not move the cursor, fill
 * the clipboard or pretend to be output of ours.
 */
export const printable = (text: string): string => text.replaceAll(controls, '\ufffd')

/** Writes to a terminal what is printable; as wide as the terminal is when it is asked. */
export const toPrintable = (
  terminal: Writable & Pick<WriteStream, 'columns'>,
): Writable & Pick<WriteStream, 'columns'> => {
  const out = new Writable({
    decodeStrings: false,
    // That the terminal is gone is the terminal's own error.
    write: (chunk: string | Buffer, _encoding, done) => {
      terminal.write(printable(chunk.toString()), () => done())
    },
  })
  return Object.defineProperty(out, 'columns', { get: () => terminal.columns }) as typeof out &
    Pick<WriteStream, 'columns'>
}
