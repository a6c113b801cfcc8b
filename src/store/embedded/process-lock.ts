import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { QuerentError } from '../../domain/errors.ts'

/** A lock that is held; the kernel lets go of it too when the process dies, however it dies. */
export interface HeldLock {
  release(): void
}

const SQLITE_BUSY = 5

const POLL_MS = 25

/**
 * Takes a lock on a file that processes of this machine share: `shared` beside other shared holders, `exclusive`
 * alone. Null when somebody is in the way; never waits.
 *
 * The lock is that of SQLite on an empty database, because Node has no file lock of its own, and a file with a pid
 * in it is no lock: pids come back, and two processes that both find it stale both take it over.
 */
export const tryProcessLock = (file: string, mode: 'shared' | 'exclusive'): HeldLock | null => {
  makePrivate(file)
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    if (mode === 'exclusive') database.exec('begin exclusive')
    else {
      database.exec('begin')
      // The shared lock is taken with the first read, and kept until the transaction ends.
      database.prepare('select count(*) from sqlite_master').get()
    }
    return { release: () => database.isOpen && database.close() }
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null
    throw error
  }
}

/** SQLite would make the file readable, and who can read it can hold a shared lock on it. */
const makePrivate = (file: string): void => {
  try {
    // Only a file that was not there: closing one drops the locks that this process has on it.
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Runs `work` while no other process holds the lock of this file. Throws `store-unavailable` after `waitMs`. */
export const withProcessLock = async <T>(
  file: string,
  waitMs: number,
  work: () => Promise<T>,
): Promise<T> => {
  const deadline = Date.now() + waitMs
  let lock = tryProcessLock(file, 'exclusive')
  while (!lock) {
    if (Date.now() > deadline) {
      throw new QuerentError(
        'store-unavailable',
        `another process has been starting or stopping the built-in Postgres for ${Math.round(waitMs / 1000)} s (lock: ${file}); end it, then try again`,
      )
    }
    await sleep(POLL_MS)
    lock = tryProcessLock(file, 'exclusive')
  }
  try {
    return await work()
  } finally {
    lock.release()
  }
}
