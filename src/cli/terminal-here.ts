import type { Terminal } from './terminal.ts'

/** The terminal of this process. `folder` is where the command was typed, which npm tells through its own variable. */
export const terminalHere = (folder: string): Terminal => ({
  out: process.stdout,
  err: process.stderr,
  input: process.stdin,
  interactive: process.stdin.isTTY === true && process.stderr.isTTY === true,
  folder,
})
