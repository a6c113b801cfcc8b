import { Writable } from 'node:stream'
import type { WriteStream } from 'node:tty'

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
