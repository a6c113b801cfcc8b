/** Timers that end together with the simulator. */
export interface Timers {
  later(ms: number, run: () => void): void
  /** Resolves after `ms`, or to false at once when the simulator closes. */
  sleep(ms: number): Promise<boolean>
  cancelAll(): void
}

/** Makes timers that keep no process alive by themselves. */
export const makeTimers = (): Timers => {
  const cancels = new Set<() => void>()
  let closed = false

  const start = (ms: number, run: () => void, onCancel: () => void): void => {
    if (closed) {
      onCancel()
      return
    }
    const cancel = (): void => {
      clearTimeout(timer)
      onCancel()
    }
    const timer = setTimeout(() => {
      cancels.delete(cancel)
      run()
    }, ms)
    timer.unref()
    cancels.add(cancel)
  }

  return {
    later: (ms, run) => start(ms, run, () => {}),
    sleep: ms =>
      new Promise(resolve => {
        start(
          ms,
          () => resolve(true),
          () => resolve(false),
        )
      }),
    cancelAll: () => {
      closed = true
      for (const cancel of cancels) cancel()
      cancels.clear()
    },
  }
}
