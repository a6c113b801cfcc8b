import { printableStream } from './printable.ts'
import type { Terminal } from './terminal.ts'

/** The terminal of this process. */
export const processTerminal = (): Omit<Terminal, 'folder'> => ({
  // A file or a pipe gets every character as it is.
  out: process.stdout.isTTY ? printableStream(process.stdout) : process.stdout,
  err: process.stderr,
  input: process.stdin,
  interactive: process.stdin.isTTY === true && process.stderr.isTTY === true,
})
