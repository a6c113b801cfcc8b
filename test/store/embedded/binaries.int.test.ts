import { execFile } from 'node:child_process'
import { chmod, cp, lstat, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findNativeFolder, prepareBinaries } from '../../../src/store/embedded/binaries.ts'

const run = promisify(execFile)

const native = findNativeFolder()

describe('the programs of the embedded server', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'querent-binaries-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  /** The package as npm leaves it with `--ignore-scripts`, which nobody may write to. */
  const unlinkedPackage = async (): Promise<string> => {
    const path = join(folder, 'package', 'native')
    await cp(native.path, path, { recursive: true, verbatimSymlinks: true })
    for (const name of await readdir(join(path, 'lib'))) {
      const file = join(path, 'lib', name)
      if ((await lstat(file)).isSymbolicLink()) await rm(file)
    }
    await chmod(join(path, 'lib'), 0o555)
    return path
  }

  it('work from a package whose install script did not run', async () => {
    const path = await unlinkedPackage()
    // Proof that the links matter: without them the libraries are not found.
    await expect(run(join(path, 'bin', 'initdb'), ['--version'], { env: {} })).rejects.toThrow(/lib.*\.so/)
    const binaries = await prepareBinaries({ path, version: native.version }, folder, false)
    expect(binaries.initdb.startsWith(join(folder, 'native-'))).toBe(true)
    const { stdout } = await run(binaries.initdb, ['--version'], { env: {} })
    expect(stdout).toMatch(/^initdb \(PostgreSQL\) \d+/)
    const links = JSON.parse(await readFile(join(native.path, 'pg-symlinks.json'), 'utf8')) as unknown[]
    const entries = await readdir(join(folder, `native-${native.version}`, 'lib'))
    const made = await Promise.all(
      entries.map(name => readlink(join(folder, `native-${native.version}`, 'lib', name)).catch(() => null)),
    )
    expect(made.filter(target => target !== null)).toHaveLength(links.length)
    await chmod(join(path, 'lib'), 0o755)
  })

  it('can be run by others when they are copied under a strict umask', async () => {
    const before = process.umask(0o077)
    try {
      const { postgres } = await prepareBinaries(native, folder, true)
      for (const path of [join(postgres, '..'), join(postgres, '..', '..', 'lib'), postgres]) {
        expect((await lstat(path)).mode & 0o005).toBe(0o005)
      }
    } finally {
      process.umask(before)
    }
  })

  it('are copied once', async () => {
    const first = await prepareBinaries(native, folder, true)
    const { ino } = await lstat(first.postgres)
    const second = await prepareBinaries(native, folder, true)
    expect(second).toEqual(first)
    expect((await lstat(second.postgres)).ino).toBe(ino)
    expect(await readdir(folder)).toEqual([`native-${native.version}`])
  })
})
