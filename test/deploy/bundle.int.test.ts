import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundle, bundledEntries } from '../../deploy/bundle.ts'
import { builtName, projectFolder } from '../../src/lib/project.ts'
import { readSources } from '../architecture/read-sources.ts'

const folder = join(projectFolder, `dist-test-${process.pid}`)
const home = mkdtempSync(join(tmpdir(), 'querent-bundle-'))
let sources: readonly string[]

beforeAll(async () => {
  sources = await bundle(folder)
}, 60_000)

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  rmSync(home, { recursive: true })
})

it('answers a question from the bundle alone, with its own child process', async () => {
  const file = join(home, 'shop.sqlite')
  const database = new DatabaseSync(file)
  database.exec(
    "create table breads (id integer primary key, name text); insert into breads values (1, 'rye')",
  )
  database.close()
  const program = `
    const { runCommandLine } = await import('${join(folder, builtName('src/cli/program/program.ts'))}')
    const { runCommandInProcess } = await import('${join(folder, builtName('src/cli/run-command.ts'))}')
    const output = { out: process.stdout, err: process.stderr }
    process.exitCode = await runCommandLine(process.argv.slice(1), output, runCommandInProcess)`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      program,
      '--',
      'ask',
      'how many breads are there?',
      '--database',
      `sqlite:${file}`,
      '--model',
      'none',
      '--json',
    ],
    { cwd: home, env: { PATH: process.env.PATH, HOME: home, QUERENT_HOME: home, INIT_CWD: home } },
  )
  expect(JSON.parse(stdout)).toMatchObject({ status: 'answered', rows: [[1]] })
}, 60_000)

it('names its sources, so that a change of one is seen', () => {
  expect(sources).toContain('src/cli/run-command.ts')
  expect(sources).toContain('package-lock.json')
  expect(sources.filter(path => path.includes('node_modules'))).toEqual([])
})

it('has an entry for every module that is loaded by its path', () => {
  const loaded = readSources()
    .filter(({ path }) => path.startsWith('src/'))
    .flatMap(({ text }) => [...text.matchAll(/(?:importBuilt<[^>]+>\(|programPath\()\s*'([^']+)'/g)])
    .map(([, path]) => path)
  expect(loaded.toSorted()).toEqual([...bundledEntries].toSorted())
})
