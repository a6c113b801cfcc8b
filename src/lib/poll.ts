/**
 * Does something now and again after each interval, but never twice at a time. Returns a function that stops it. It does
 * not keep a process alive that has nothing else to do.
 */
export const startPolling = (
  work: () => Promise<unknown>,
  { everyMs, onError }: { readonly everyMs: number; readonly onError: (error: unknown) => void },
): (() => void) => {
  let isWorking = false
  const poll = async (): Promise<void> => {
    if (isWorking) return
    isWorking = true
    try {
      await work()
    } catch (error) {
      onError(error)
    } finally {
      isWorking = false
    }
  }
  void poll()
  const timer = setInterval(() => void poll(), everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
