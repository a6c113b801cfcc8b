import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { QuerentError } from '../../domain/errors.ts'

/** A held lock; the kernel releases it when the process dies. */
export interface HeldLock {
  release(): void
}

const SQLITE_BUSY = 5

const POLL_MS = 25

/**
 * Takes a lock on a file shared by processes of this machine: `shared` beside other shared holders, `exclusive` alone.
 * Null if it is taken; never waits.
 *
 * It is SQLite's lock on an empty database. Node has no file locks, and a pid file is no lock: pids are reused, and two
 * processes that both find it stale both take it over.
 */
export const tryProcessLock = (file: string, mode: 'shared' | 'exclusive'): HeldLock | null => {
  makePrivate(file)
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    if (mode === 'exclusive') database.exec('begin exclusive')
    else {
      database.exec('begin')
      // The first read takes the shared lock, which is held until the transaction ends.
      database.prepare('select count(*) from sqlite_master').get()
    }
    return { release: () => database.isOpen && database.close() }
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null
    throw error
  }
}

/** SQLite would make the file readable, and anyone who can read it can hold a shared lock on it. */
const makePrivate = (file: string): void => {
  try {
    // Only a new file: closing an existing one would drop this process's locks on it.
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Runs `work` while no other process holds the lock on this file. Throws `store-unavailable` after `waitMs`. */
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
