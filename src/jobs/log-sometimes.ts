/** What is said at most so often, however often it happens: a server that is away breaks every look of every worker. */
const LOG_EVERY_MS = 10_000

/** Makes a way to say that something went wrong: the first time, and then now and then with how often it was. */
export const makeThrottledLog = (
  write: (error: unknown, times: number) => void,
  now: () => number,
): ((error: unknown) => void) => {
  let saidAt = Number.NEGATIVE_INFINITY
  let times = 0
  return error => {
    times++
    if (now() - saidAt < LOG_EVERY_MS) return
    write(error, times)
    saidAt = now()
    times = 0
  }
}
