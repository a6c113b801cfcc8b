import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../helpers/cli/run-cli.ts'

let folder: string
const run = (...args: string[]) => runCli(args, { folder, home: join(folder, 'home') })

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'querent-test-'))
  const database = new DatabaseSync(join(folder, 'harbor.sqlite'))
  database.exec(`
    create table boats (id integer primary key, name text);
    insert into boats values (1, 'Alba'), (2, 'Brisa');
  `)
  database.close()
})

afterAll(() => rmSync(folder, { recursive: true }))

describe('connector check', { timeout: 60_000 }, () => {
  it('tries everything, and writes a table without the address', async () => {
    const { status, out } = await run('connector', 'check', 'sqlite:harbor.sqlite')
    expect(out).toContain('Querent connector check: SQLite')
    expect(out).toContain('| reads tables and columns | yes | tables: 1, columns: 2 |')
    expect(out).toContain('| the database refuses a write | yes |')
    expect(out).toContain('| canceling ends a statement in the database | yes |')
    expect(out).not.toContain('harbor.sqlite')
    expect(status).toBe(0)
  })

  it('gives the same as JSON', async () => {
    const { out } = await run('connector', 'check', 'sqlite:harbor.sqlite', '--json')
    const { engine, trials } = JSON.parse(out)
    expect(engine).toBe('SQLite')
    expect(trials.map(({ trial, outcome }: Record<string, string>) => `${trial} ${outcome}`)).toEqual([
      'schema holds',
      'values holds',
      'row-limit holds',
      'byte-limit holds',
      'unknown-column holds',
      'guard holds',
      'estimate holds',
      'write holds',
      'time-limit holds',
      'cancel holds',
      'role unknown',
    ])
  })

  it('says which databases there are when it cannot open one', async () => {
    const { status, err } = await run('connector', 'check', 'oracle://x/y')
    expect(status).toBe(2)
    expect(err).toContain('Querent cannot open oracle: databases. Write one of: ')
  })
})
