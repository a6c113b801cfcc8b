import { join } from 'node:path'
import { QuerentError } from '../src/domain/errors.ts'
import { ownCommand } from '../src/lib/project.ts'
import { type EmbeddedServer, type HeldLock, tryProcessLock } from '../src/store/embedded/embedded-server.ts'

/**
 * Takes the store of a demo for this process, until it is released or the process dies. Throws `store-unavailable`
 * when another demo has it: a demo begins with an empty store, and would take that one's away.
 */
export const claimStore = (server: Pick<EmbeddedServer, 'folder'>, store: string, home: string): HeldLock => {
  const lock = tryProcessLock(join(server.folder, `${store}.lock`), 'exclusive')
  if (lock) return lock
  throw new QuerentError(
    'store-unavailable',
    `another demo runs with the folder ${home}. Stop it first, or give this one a folder of its own: QUERENT_HOME=<folder> ${ownCommand('demo')}`,
  )
}
