import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir, readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { QuerentError } from '../../core/errors.ts'

/** An operating-system user that the server runs as. */
export interface RunAs {
  readonly uid: number
  readonly gid: number
}

/**
 * Where one embedded server lives, and as whom it runs: `data` is Postgres's own, `root` holds it, the log, the
 * locks and the password. `runAs` is null when that is simply us.
 */
export interface ServerFolder {
  readonly root: string
  readonly data: string
  readonly log: string
  readonly runAs: RunAs | null
}

/** Usual ids of `nobody` and its group, for a machine that has no such line in /etc/passwd. */
const NOBODY: RunAs = { uid: 65534, gid: 65534 }

/**
 * Makes the folder of the server that belongs to `home`. A normal user's is inside it. Postgres refuses to run as
 * root, and another user cannot reach into a home that is closed to others (as /root or a fresh `mktemp -d` are), so
 * root's is /var/tmp/querent-<hash of home>, and the server runs as `nobody`.
 */
export const makeServerFolder = async (home: string): Promise<ServerFolder> => {
  await mkdir(home, { recursive: true })
  // One name for one folder, by whatever way it was reached.
  const real = await realpath(home)
  const isRoot = process.getuid?.() === 0
  const root = isRoot ? await makeRootsFolder(real) : join(real, 'postgres')
  if (!isRoot) await mkdir(root, { recursive: true, mode: 0o700 })
  return {
    root,
    data: join(root, 'data'),
    log: join(root, 'server.log'),
    runAs: isRoot ? await findNobody() : null,
  }
}

/** Where the data of a home's server would be; nothing is made. Null for a home that is not there. */
export const findServerData = async (home: string): Promise<string | null> => {
  const real = await realpath(home).catch(() => null)
  if (real === null) return null
  return join(process.getuid?.() === 0 ? rootsFolderOf(real) : join(real, 'postgres'), 'data')
}

const rootsFolderOf = (home: string): string =>
  `/var/tmp/querent-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`

/** Anybody may write to /var/tmp: a folder of this name that is not ours could hold anything, binaries too. */
const makeRootsFolder = async (home: string): Promise<string> => {
  const folder = rootsFolderOf(home)
  const made = await mkdir(folder, { mode: 0o755 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )
  if (made) await chmod(folder, 0o755)
  const found = await lstat(folder)
  if (!found.isDirectory() || found.uid !== 0 || (found.mode & 0o022) !== 0) {
    throw new QuerentError(
      'store-unavailable',
      `${folder} is not a folder that only root may write to; remove it, or set DATABASE_URL`,
    )
  }
  return folder
}

const findNobody = async (): Promise<RunAs> => {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const fields = passwd
    .split('\n')
    .find(line => line.startsWith('nobody:'))
    ?.split(':')
  const [uid, gid] = [Number(fields?.[2]), Number(fields?.[3])]
  return Number.isInteger(uid) && Number.isInteger(gid) && uid > 0 ? { uid, gid } : NOBODY
}
