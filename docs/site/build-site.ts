import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findBrokenLinks } from './check-links.ts'
import { stagePages } from './stage-pages.ts'

/** The generator is an npm project of its own. */
const folder = join(import.meta.dirname, 'generator')

/** Where `npm run docs` puts the site. */
export const siteFolder = join(import.meta.dirname, 'dist')

const generator = join(folder, 'node_modules/astro/bin/astro.mjs')

/** Whether the packages of the generator are installed, in the versions of its lock file. */
export const isGeneratorInstalled = (): boolean => {
  const installed = readLock('node_modules/.package-lock.json')
  return Object.entries(readLock('package-lock.json')).every(
    // The optional ones are for one system each.
    ([path, { version, optional }]) => path === '' || optional || installed[path]?.version === version,
  )
}

interface LockedPackage {
  readonly version?: string
  readonly optional?: boolean
}

/** The packages of a lock file by their paths; none if it is not there. */
const readLock = (path: string): Readonly<Record<string, LockedPackage>> =>
  existsSync(join(folder, path)) ? JSON.parse(readFileSync(join(folder, path), 'utf8')).packages : {}

/** Installs the packages of the generator. None of their scripts runs. */
export const installGenerator = (): Promise<void> =>
  run('npm', ['ci', '--ignore-scripts', '--loglevel=error', '--no-audit', '--no-fund'])

/**
 * Builds the site without a network and checks its links. Rejects with what the generator printed, or with the links that
 * lead nowhere.
 *
 * @param out where it is put
 * @param base where it will be on its server
 */
export const buildSite = async ({ out = siteFolder, base = '/' } = {}): Promise<void> => {
  stagePages(join(folder, '.staged'))
  await run(process.execPath, [generator, 'build', '--outDir', out, '--base', base])
  const broken = findBrokenLinks(out, base)
  if (broken.length > 0) throw new Error(`Links that lead nowhere:\n${broken.join('\n')}`)
}

/** Shows the built site at an address of this machine until it is stopped. */
export const serveSite = (base: string): Promise<void> =>
  run(process.execPath, [generator, 'preview', '--outDir', siteFolder, '--base', base], 'shown')

/** Runs a program in the folder of the generator. What it prints is shown at once, or only if it fails. */
const run = async (command: string, args: readonly string[], output?: 'shown'): Promise<void> => {
  const child = spawn(command, args, {
    cwd: folder,
    stdio: output === 'shown' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      // The generator would tell its makers how it is used.
      ASTRO_TELEMETRY_DISABLED: '1',
      // Vitest sets these for the code under test, and the generator would take them for its own.
      ...{ BASE_URL: undefined, DEV: undefined, PROD: undefined, MODE: undefined, SSR: undefined },
    },
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  }
  const [code] = await once(child, 'close')
  if (code !== 0 && code !== null)
    throw new Error(`${command} ${args.join(' ')} ended with ${code}\n${printed}`)
}
