/** Something that may end a piece of work early: `watch` calls `trigger` when it happens and returns how to stop watching. */
export type Interruption = (trigger: (reason: Error) => void) => () => void

/** On abort, with the reason given. */
export const onAbort =
  (signal: AbortSignal | undefined, reason: () => Error): Interruption =>
  trigger => {
    const listen = (): void => trigger(reason())
    if (signal?.aborted) listen()
    signal?.addEventListener('abort', listen, { once: true })
    return () => signal?.removeEventListener('abort', listen)
  }

/** After some time. */
export const afterMilliseconds =
  (milliseconds: number, reason: () => Error): Interruption =>
  trigger => {
    const timer = setTimeout(() => trigger(reason()), milliseconds)
    return () => clearTimeout(timer)
  }

/** As soon as a condition is found true; it is looked at every `pollIntervalMs`. */
export const pollUntil =
  (condition: () => boolean, everyMs: number, reason: () => Error): Interruption =>
  trigger => {
    const timer = setInterval(() => {
      if (condition()) trigger(reason())
    }, everyMs)
    return () => clearInterval(timer)
  }

/** What `interruptible` throws, so that a caller can tell an interruption from a failure of the work. */
export class Interrupted extends Error {
  readonly reason: Error

  constructor(reason: Error) {
    super(reason.message, { cause: reason })
    this.reason = reason
  }
}

/**
 * Waits for work, unless one of the interruptions comes first: then `stop` is awaited, so that the work has really
 * ended when this rejects with `Interrupted`. Work that ends while it is being stopped counts as interrupted.
 */
export const interruptible = async <T>(
  work: () => Promise<T>,
  interruptions: readonly Interruption[],
  stop: (reason: Error, ended: Promise<unknown>) => Promise<void>,
): Promise<T> => {
  const { promise: interrupted, resolve: interrupt } = Promise.withResolvers<Error>()
  const unwatch = interruptions.map(watch => watch(interrupt))
  const running = work()
  const ended = running.catch(() => {})
  try {
    const first = await Promise.race([
      interrupted.then(reason => ({ reason })),
      running.then(value => ({ value })),
    ])
    if ('value' in first) return first.value
    await stop(first.reason, ended)
    throw new Interrupted(first.reason)
  } finally {
    for (const end of unwatch) end()
  }
}
