import { SqlError } from '../../domain/errors.ts'

/** A fixed number of slots. Callers wait in line for a free one. */
export interface Semaphore {
  /** Resolves with a function that frees the slot. Rejects with `SqlError('cancelled')` on abort. */
  readonly acquire: (signal?: AbortSignal) => Promise<() => void>
}

/**
 * Limits statements to as many as there are connections or processes. A pool's own queue is not used because it
 * knows no signal, and counts the time in line as time spent connecting.
 */
export const makeSemaphore = (count: number): Semaphore => {
  let free = count
  const line: (() => void)[] = []

  const makeRelease = (): (() => void) => {
    let released = false
    return () => {
      if (released) return
      released = true
      const next = line.shift()
      if (next === undefined) free += 1
      else next()
    }
  }

  return {
    acquire: signal =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(new SqlError('cancelled', 'The statement was cancelled before it started.'))
          return
        }
        if (free > 0) {
          free -= 1
          resolve(makeRelease())
          return
        }
        const enter = (): void => {
          signal?.removeEventListener('abort', leave)
          resolve(makeRelease())
        }
        const leave = (): void => {
          line.splice(line.indexOf(enter), 1)
          reject(new SqlError('cancelled', 'The statement was cancelled before it started.'))
        }
        line.push(enter)
        signal?.addEventListener('abort', leave, { once: true })
      }),
  }
}
