import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

/** What the watchdog is given. `flag` is one Int32: 1 while a statement runs. */
export interface WatchdogData {
  readonly flag: SharedArrayBuffer
  readonly parentPid: number
  readonly maxResidentBytes: number
}

/**
 * Starts the thread and returns the switch: `busy(true)` before a statement, `busy(false)` after it. A child that has
 * grown past `maxResidentBytes` is stopped: a sort or an aggregate has run away in memory.
 */
export const startWatchdog = ({
  parentPid,
  maxResidentBytes,
}: Omit<WatchdogData, 'flag'>): ((busy: boolean) => void) => {
  const flag = new SharedArrayBuffer(4)
  const state = new Int32Array(flag)
  const data: WatchdogData = { flag, parentPid, maxResidentBytes }
  const worker = new Worker(join(import.meta.dirname, 'watchdog.ts'), {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  })
  worker.unref()
  return busy => {
    Atomics.store(state, 0, busy ? 1 : 0)
    Atomics.notify(state, 0)
  }
}
