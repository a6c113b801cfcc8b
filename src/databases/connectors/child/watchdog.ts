import process from 'node:process'
import { workerData } from 'node:worker_threads'
import type { WatchdogData } from './serve.ts'

/**
 * A thread inside each child. While a statement runs in native code the child's own event loop may stand still, so that
 * it could not notice that its parent has died. This thread sleeps without a timer while the child is idle, and else looks
 * twenty times a second, in which a gigabyte is not yet filled. SIGKILL is the only way out of a native call.
 */
const pollMilliseconds = 50

const { flag, parentPid, maxResidentBytes } = workerData as WatchdogData

const state = new Int32Array(flag)

for (;;) {
  if (Atomics.load(state, 0) === 0) Atomics.wait(state, 0, 0)
  Atomics.wait(state, 0, 1, pollMilliseconds)
  const orphaned = process.ppid !== parentPid
  const tooLarge = Atomics.load(state, 0) === 1 && process.memoryUsage.rss() > maxResidentBytes
  if (orphaned || tooLarge) process.kill(process.pid, 'SIGKILL')
}
