import process from 'node:process'
import type { DatabaseSync } from 'node:sqlite'
import { introspect } from './introspect.ts'
import { openFile } from './open-file.ts'
import { runStatement } from './run-statement.ts'
import { startWatchdog } from './start-watchdog.ts'
import { toChildError } from './to-child-error.ts'
import type { ChildMessage, ChildRequest } from './wire.ts'

/**
 * The program that a SQLite connector forks: one file, one statement at a time, killed when one takes too long.
 * Arguments: the file, and the parent's pid.
 */
const [file = '', parentPid = ''] = process.argv.slice(2)

process.on('disconnect', () => process.exit(0))

/** Resolves when the message is written, so that a large result waits in SQLite and not in memory. */
const send = (message: ChildMessage): Promise<void> =>
  new Promise(resolve => {
    process.send?.(message, undefined, undefined, () => resolve())
  })

const introspectApart = async (): Promise<void> => {
  // A connection of its own: the one that runs statements may not read PRAGMAs.
  const database = openFile(file, { guarded: false })
  try {
    await send({ type: 'catalog', catalog: introspect(database, file) })
  } finally {
    database.close()
  }
}

const answer = async (
  database: DatabaseSync,
  request: ChildRequest,
  busy: (busy: boolean) => void,
): Promise<void> => {
  busy(true)
  try {
    if (request.type === 'introspect') await introspectApart()
    else await send(await runStatement(database, request, rows => send({ type: 'rows', rows })))
  } catch (error) {
    await send({ type: 'failed', ...toChildError(error) })
  } finally {
    busy(false)
  }
}

try {
  const database = openFile(file, { guarded: true })
  const ready = send({ type: 'ready' })
  // Last, so that the thread starts up while the parent reads the news; no request can be here before it.
  const busy = startWatchdog(Number(parentPid))
  process.on('message', (request: ChildRequest) => {
    void answer(database, request, busy)
  })
  await ready
} catch (error) {
  await send({ type: 'not-opened', ...toChildError(error) })
  process.exit(1)
}
