import { AsyncLocalStorage } from 'node:async_hooks'
import type { InLogContext, LogFields } from '../core/log.ts'

/** Fields that every line carries which is written within some work. */
export interface LogContext {
  readonly inLogContext: InLogContext
  /** The fields where the code is now; none outside of all work. */
  readonly current: () => LogFields
}

/** Makes it. Fields follow every await and timer that begins within the work; an inner context adds to the outer. */
export const makeLogContext = (): LogContext => {
  const storage = new AsyncLocalStorage<LogFields>()
  return {
    inLogContext: (fields, work) => storage.run({ ...storage.getStore(), ...fields }, work),
    current: () => storage.getStore() ?? {},
  }
}
