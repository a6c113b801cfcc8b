import { open } from 'node:fs/promises'

/** Writes bytes at the end of a file; how many it took. */
export type AppendBytes = (bytes: Buffer) => Promise<number>

/** Attempts at a write that took only a part: a full disk fails with an error of its own then. */
const MOST_ATTEMPTS = 5

const NEWLINE = 0x0a

/**
 * Appends whole lines to a file that only its owner may read, and makes it when it is missing. All of them go out in one
 * write: on a local disk the system lets no other append come between, so lines of two processes never mix. It is opened
 * anew each time, so that it can be replaced by one that somebody is left out of (`eraseFromAuditFiles`). Rejects where they
 * could not be written.
 */
export const appendLines = async (path: string, lines: readonly string[]): Promise<void> => {
  const file = await open(path, 'a', 0o600)
  try {
    await writeFully(Buffer.from(lines.map(line => `${line}\n`).join('')), async bytes => {
      const { bytesWritten } = await file.write(bytes)
      return bytesWritten
    })
  } finally {
    await file.close()
  }
}

/**
 * Writes lines whole. After a write that took only a part another process may have gone on behind it: what is left then
 * begins on a line of its own, with the line that was cut.
 */
export const writeFully = async (lines: Buffer, write: AppendBytes): Promise<void> => {
  let left = lines
  for (let attempt = 1; ; attempt++) {
    const written = await write(left)
    if (written === left.length) return
    if (attempt === MOST_ATTEMPTS) throw new Error(`only ${written} of ${left.length} bytes could be written`)
    const whole = left.subarray(0, written).lastIndexOf(NEWLINE) + 1
    left = Buffer.concat([Buffer.of(NEWLINE), left.subarray(whole)])
  }
}
