import { toPrintable } from './printable.ts'
import type { Terminal } from './terminal.ts'

/** The terminal of this process. `folder` is where the command was typed, which npm tells through its own variable. */
export const terminalHere = (folder: string): Terminal => ({
  // A file or a pipe gets every character as it is.
  out: process.stdout.isTTY ? toPrintable(process.stdout) : process.stdout,
  err: process.stderr,
  input: process.stdin,
  interactive: process.stdin.isTTY === true && process.stderr.isTTY === true,
  folder,
})
