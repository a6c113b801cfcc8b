import process from 'node:process'
import { Worker } from 'node:worker_threads'
import type { Catalog } from '../../../domain/catalog.ts'
import type { Cell } from '../../../domain/result.ts'
import { programPath } from '../../../lib/project.ts'
import type { ChildError, ChildMessage, ChildRequest } from './fork.ts'

type RunRequest = Extract<ChildRequest, { type: 'run' }>

/** What a child has opened. */
export interface OpenedDatabase {
  /** Sends rows in batches and resolves with what follows the last of them. */
  readonly run: (
    request: RunRequest,
    sendRows: (rows: readonly (readonly Cell[])[]) => Promise<void>,
  ) => Promise<Extract<ChildMessage, { type: 'done' }>>
  readonly introspect: () => Catalog | Promise<Catalog>
}

/** Resolves when the message is written, so that a large result waits in the database and not in memory. */
const send = (message: ChildMessage): Promise<void> =>
  new Promise(resolve => {
    process.send?.(message, undefined, undefined, () => resolve())
  })

/**
 * Runs a child: opens the database, then serves requests one at a time until it is killed, its parent is gone, or
 * it has grown past `maxResidentBytes`.
 */
export const serve = async (options: {
  readonly open: () => OpenedDatabase | Promise<OpenedDatabase>
  readonly toChildError: (error: unknown) => ChildError
  readonly parentPid: number
  readonly maxResidentBytes: number
}): Promise<void> => {
  const { toChildError } = options
  process.on('disconnect', () => process.exit(0))

  const answer = async (
    served: OpenedDatabase,
    request: ChildRequest,
    busy: (busy: boolean) => void,
  ): Promise<void> => {
    busy(true)
    try {
      if (request.type === 'introspect') await send({ type: 'catalog', catalog: await served.introspect() })
      else await send(await served.run(request, rows => send({ type: 'rows', rows })))
    } catch (error) {
      await send({ type: 'failed', ...toChildError(error) })
    } finally {
      busy(false)
    }
  }

  try {
    const served = await options.open()
    const ready = send({ type: 'ready' })
    // Last, so that the thread starts while the parent reads this message; no request can arrive before it.
    const busy = startWatchdog(options)
    process.on('message', (request: ChildRequest) => {
      void answer(served, request, busy)
    })
    await ready
  } catch (error) {
    await send({ type: 'not-opened', ...toChildError(error) })
    process.exit(1)
  }
}

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
const startWatchdog = ({
  parentPid,
  maxResidentBytes,
}: Omit<WatchdogData, 'flag'>): ((busy: boolean) => void) => {
  const flag = new SharedArrayBuffer(4)
  const state = new Int32Array(flag)
  const data: WatchdogData = { flag, parentPid, maxResidentBytes }
  const worker = new Worker(programPath('src/databases/connectors/child/watchdog.ts'), {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  })
  worker.unref()
  return busy => {
    Atomics.store(state, 0, busy ? 1 : 0)
    Atomics.notify(state, 0)
  }
}
