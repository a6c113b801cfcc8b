import type { Readable, Writable } from 'node:stream'

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
