import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundle, bundledEntries } from '../../deploy/bundle.ts'
import { builtName, projectFolder } from '../../src/lib/project.ts'
import { databaseDialects } from '../../src/sql/dialects.ts'
import { readSources } from '../architecture/read-sources.ts'
import { startBigquery } from '../helpers/doubles/bigquery/start-bigquery.ts'

const folder = join(projectFolder, `dist-test-${process.pid}`)
const home = mkdtempSync(join(tmpdir(), 'querent-bundle-'))
let sources: readonly string[]

beforeAll(async () => {
  sources = (await bundle(folder, { isPackage: false })).sources
}, 60_000)

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  rmSync(home, { recursive: true })
})

/** Asks in the built program; rejects with what it wrote if it fails. */
const ask = (question: string, database: string) => {
  const program = `
    const { runCommandLine } = await import('${join(folder, builtName('src/cli/program/program.ts'))}')
    const { runCommandInProcess } = await import('${join(folder, builtName('src/cli/run-command.ts'))}')
    const output = { out: process.stdout, err: process.stderr }
    process.exitCode = await runCommandLine(process.argv.slice(1), output, runCommandInProcess)`
  const words = ['ask', question, '--database', database, '--model', 'none', '--json']
  return promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, '--', ...words], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, QUERENT_HOME: home, INIT_CWD: home },
  })
}

it('answers a question from the bundle alone, with its own child process', async () => {
  const file = join(home, 'shop.sqlite')
  const database = new DatabaseSync(file)
  database.exec(
    "create table breads (id integer primary key, name text); insert into breads values (1, 'rye')",
  )
  database.close()
  const { stdout } = await ask('how many breads are there?', `sqlite:${file}`)
  expect(JSON.parse(stdout)).toMatchObject({ status: 'answered', rows: [[1]] })
}, 60_000)

const servers = [
  'postgres://a:b@127.0.0.1:1/d',
  'mysql://a:b@127.0.0.1:1/d',
  'redshift://a:b@127.0.0.1:1/d',
  'trino://a@127.0.0.1:1/c/s',
  'spark://a@127.0.0.1:1/d',
  'clickhouse://a@127.0.0.1:1/d',
  'snowflake://a:token@127.0.0.1:1/D/S?auth=oauth',
]

it.each(servers)(
  'has a driver that gets as far as the network: %s',
  async url => {
    await expect(ask('how many breads are there?', url)).rejects.toMatchObject({
      stdout: expect.stringContaining('ECONNREFUSED 127.0.0.1:1'),
    })
  },
  120_000,
)

it("has BigQuery's driver, whose package is of another kind", async () => {
  const double = await startBigquery()
  try {
    await double.admin('create table breads (id bigint); insert into breads values (1), (2)')
    const { stdout } = await ask('how many breads are there?', double.url)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'answered', rows: [[2]] })
  } finally {
    await double.close()
  }
}, 120_000)

it('is tried with every kind of server', () => {
  const tried = [...servers.map(url => new URL(url).protocol.slice(0, -1)), 'bigquery']
  const known = databaseDialects.flatMap(({ address }) => (address.kind === 'server' ? [address.scheme] : []))
  expect(tried.toSorted()).toEqual(known.toSorted())
})

it('names its sources, so that a change of one is seen', () => {
  expect(sources).toContain('src/cli/run-command.ts')
  expect(sources).toContain('package-lock.json')
  expect(sources.filter(path => path.includes('node_modules'))).toEqual([])
})

it('has an entry for every module that is loaded by its path', () => {
  const loaded = readSources()
    .filter(({ path }) => /^(src|simulator)\//.test(path))
    .flatMap(({ text }) => [...text.matchAll(/(?:importBuilt<[^>]+>\(|programPath\()\s*'([^']+)'/g)])
    .map(([, path]) => path)
  expect(loaded.toSorted()).toEqual([...bundledEntries].toSorted())
})
