import { execFile } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { chmod, chown, lstat, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { QuerentError } from '../../domain/errors.ts'
import type { Binaries } from './binaries.ts'

/** The operating system user the server runs as. */
interface RunAs {
  readonly uid: number
  readonly gid: number
}

/**
 * The folders of one embedded server and its user: `data` is Postgres's own; `root` holds it, the log, the locks and
 * the password. `runAs` is null if it is the current user.
 */
export interface ServerFolder {
  readonly root: string
  readonly data: string
  readonly log: string
  readonly runAs: RunAs | null
}

/** Usual ids of `nobody` and its group, for machines without that line in /etc/passwd. */
const NOBODY: RunAs = { uid: 65534, gid: 65534 }

/**
 * Creates the folder of the server that belongs to `home`. A normal user's is inside it. Postgres refuses to run as
 * root, and another user cannot reach a closed home (such as /root or a fresh `mktemp -d`), so root's is
 * /var/tmp/querent-<hash of home>, and the server runs as `nobody`.
 */
export const makeServerFolder = async (home: string): Promise<ServerFolder> => {
  await mkdir(home, { recursive: true })
  // One name per folder, whatever path was used.
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

/** The data folder of a home's server; nothing is created. Null if the home does not exist. */
export const findServerData = async (home: string): Promise<string | null> => {
  const real = await realpath(home).catch(() => null)
  if (real === null) return null
  return join(process.getuid?.() === 0 ? rootsFolderOf(real) : join(real, 'postgres'), 'data')
}

const rootsFolderOf = (home: string): string =>
  `/var/tmp/querent-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`

/** Everyone can write to /var/tmp: an existing folder of another owner could contain anything, including binaries. */
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

const run = promisify(execFile)

/** The superuser of an embedded server. People's statements never run as this user. */
export const SUPERUSER = 'postgres'

/** The server's programs get this environment and nothing else. */
export const SERVER_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/**
 * Creates the data folder if there is none. It is created under another name and renamed when complete, so a killed
 * process leaves nothing that looks like data. Throws `store-unavailable` if the existing data is from another major
 * version, which this build cannot read.
 */
export const initData = async (
  folder: ServerFolder,
  binaries: Binaries,
  password: string,
  durable: boolean,
): Promise<void> => {
  const found = await versionOfData(folder.data)
  if (found !== null) return assertReadable(found, folder, binaries)
  const draft = `${folder.data}.${randomUUID()}`
  const passwordFile = join(draft, 'password')
  try {
    await mkdir(draft, { mode: 0o700 })
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
    if (folder.runAs) {
      await chown(draft, folder.runAs.uid, folder.runAs.gid)
      await chown(passwordFile, folder.runAs.uid, folder.runAs.gid)
    }
    await run(
      binaries.initdb,
      [
        `--pgdata=${join(draft, 'data')}`,
        `--username=${SUPERUSER}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        // The same collation on every machine, whatever locales it has.
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        ...(durable ? [] : ['--no-sync']),
      ],
      { cwd: '/', env: SERVER_ENVIRONMENT, ...folder.runAs },
    )
    await rename(join(draft, 'data'), folder.data)
  } catch (cause) {
    const said = String((cause as { stderr?: string }).stderr ?? '').trim()
    throw new QuerentError(
      'store-unavailable',
      `the built-in Postgres could not make its data folder in ${folder.root}${said ? `: ${said}` : ''}; make room or rights there, or set DATABASE_URL`,
      { cause },
    )
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

const versionOfData = async (data: string): Promise<string | null> => {
  try {
    return (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

const assertReadable = async (found: string, folder: ServerFolder, binaries: Binaries): Promise<void> => {
  const { stdout } = await run(binaries.postgres, ['--version'], {
    cwd: '/',
    env: SERVER_ENVIRONMENT,
    ...folder.runAs,
  })
  const ours = /\) (\d+)/.exec(stdout)?.[1]
  if (found === ours) return
  throw new QuerentError(
    'store-unavailable',
    `${folder.data} was created by Postgres ${found}, and this version of Querent includes Postgres ${ours}; dump it with the version that created it, move it away to start over, or set DATABASE_URL`,
  )
}

/**
 * The superuser's random password, in a file only its owner can read, beside the data it opens. Created if there is no
 * data yet; throws `store-unavailable` if there is data but no password.
 */
export const readServerPassword = async (root: string, hasData: boolean): Promise<string> => {
  const file = join(root, 'password')
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
    if (hasData) {
      throw new QuerentError(
        'store-unavailable',
        `${file} is missing, and without it the data in ${root} cannot be opened; put it back, or remove ${root} to start over`,
        { cause },
      )
    }
  }
  const password = randomBytes(24).toString('base64url')
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, `${password}\n`, { mode: 0o600 })
  await rename(draft, file)
  return password
}
