import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { QuerentError } from '../../core/errors.ts'
import type { Binaries } from './prepare-binaries.ts'
import type { ServerFolder } from './server-folder.ts'

const run = promisify(execFile)

/** The superuser of an embedded server. Nothing that people ask is run under it. */
export const SUPERUSER = 'postgres'

/** Programs of the server see this and nothing of our own environment. */
export const SERVER_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/**
 * Makes the data folder when there is none. It is made under another name and renamed when whole, so a process that is
 * killed half-way leaves nothing that looks like data. Throws `store-unavailable` when the data that is there was made
 * by another major version, which this build cannot read.
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
        // The same order and case rules on every machine, whatever locales it has.
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
    `${folder.data} was made by Postgres ${found}, and this version of Querent brings Postgres ${ours}; dump it with the version that made it, or move it away to begin anew, or set DATABASE_URL`,
  )
}
