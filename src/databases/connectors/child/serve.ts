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
 * Ends this process at once. `process.exit` would stop the watchdog first and then wait for a statement that runs in
 * native code, for as long as it takes.
 */
const end = (): void => {
  process.kill(process.pid, 'SIGKILL')
}

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
  process.on('disconnect', end)
  // First: opening can take long in native code too.
  const busy = startWatchdog(options)

  const answer = async (served: OpenedDatabase, request: ChildRequest): Promise<void> => {
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
    busy(false)
    process.on('message', (request: ChildRequest) => {
      void answer(served, request)
    })
    await send({ type: 'ready' })
  } catch (error) {
    await send({ type: 'not-opened', ...toChildError(error) })
    end()
  }
}

/** What the watchdog is given. `flag` is one Int32: 1 while the child opens its database or runs a statement. */
export interface WatchdogData {
  readonly flag: SharedArrayBuffer
  readonly parentPid: number
  readonly maxResidentBytes: number
}

/**
 * Starts the thread and returns the switch: `busy(true)` before a statement, `busy(false)` after it and once the
 * database is open. A child that has grown past `maxResidentBytes` is stopped: a sort or an aggregate has run away in
 * memory. A child that loses the thread ends too, because then nothing would notice either.
 */
const startWatchdog = ({
  parentPid,
  maxResidentBytes,
}: Omit<WatchdogData, 'flag'>): ((busy: boolean) => void) => {
  const flag = new SharedArrayBuffer(4)
  const state = new Int32Array(flag)
  Atomics.store(state, 0, 1)
  const data: WatchdogData = { flag, parentPid, maxResidentBytes }
  const worker = new Worker(programPath('src/databases/connectors/child/watchdog.ts'), {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  })
  worker.on('error', end).on('exit', end).unref()
  return busy => {
    Atomics.store(state, 0, busy ? 1 : 0)
    Atomics.notify(state, 0)
  }
}
