import { setImmediate as eventLoopTurn, setTimeout as sleep } from 'node:timers/promises'

const LOOK_EVERY_MS = 20

/**
 * Resolves with what `look` finds, as soon as that is neither false nor null nor undefined. Rejects after `timeoutMs`,
 * which says nothing about speed: it only ends a test that would never end.
 */
export const until = async <T>(
  look: () => T | Promise<T>,
  { timeoutMs = 30_000, waitingFor = 'what the test waits for' }: UntilOptions = {},
): Promise<Exclude<T, false | null | undefined>> => {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const found = await look()
    if (found !== false && found !== null && found !== undefined)
      return found as Exclude<T, false | null | undefined>
    if (performance.now() > deadline) throw new Error(`not seen within ${timeoutMs} ms: ${waitingFor}`)
    await sleep(LOOK_EVERY_MS)
  }
}

interface UntilOptions {
  readonly timeoutMs?: number
  /** For the message of the error. */
  readonly waitingFor?: string
}

/** Rejects with `describe()` if the promise takes longer than `ms`. */
export const withinTime = async <T>(ms: number, promise: Promise<T>, describe: () => string): Promise<T> => {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(describe())), ms)
  try {
    return await Promise.race([promise, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Waits for a fixed time. Only for a test that proves that nothing happens meanwhile, or that measures what happens
 * meanwhile: anything that has to happen is waited for with `until`.
 */
export const observeFor = (ms: number): Promise<void> => sleep(ms)

/** Lets everything run that is ready to run: callbacks, promises, input that has arrived. */
export const nextTurn = (): Promise<void> => eventLoopTurn()
