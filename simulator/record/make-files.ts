import type { SharedFile } from '../shapes/message.ts'

interface KeptFile extends SharedFile {
  /** Milliseconds since 1970; until then Slack processes the file and shows it nowhere. */
  readonly readyAt: number
  /** Where the emulator has the content. */
  readonly path: string
}

/** The files that the bot has uploaded. */
export interface Files {
  add(file: KeptFile): void
  /** Null also for a file that is still being processed. */
  findReady(id: string): KeptFile | null
  /** False if there is none. */
  remove(id: string): boolean
}

export const makeFiles = (now: () => Date): Files => {
  const files = new Map<string, KeptFile>()
  return {
    add: file => {
      files.set(file.id, file)
    },
    findReady: id => {
      const file = files.get(id)
      return file && file.readyAt <= now().getTime() ? file : null
    },
    remove: id => files.delete(id),
  }
}
