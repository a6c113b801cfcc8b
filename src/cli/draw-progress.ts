import { SingleBar } from 'cli-progress'
import type { OnProgress } from '../compose/progress.ts'
import type { Terminal } from './terminal.ts'

/** Progress of long work: a bar on a terminal, and nothing where nobody watches. */
export interface ProgressBar {
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
