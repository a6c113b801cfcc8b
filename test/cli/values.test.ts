import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../helpers/cli/run-cli.ts'

let folder: string
const run = (...args: string[]) => runCli(args, { folder, home: join(folder, 'home') })

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'querent-test-'))
  const database = new DatabaseSync(join(folder, 'harbour.sqlite'))
  database.exec(`
    create table boats (id integer primary key, name text, home_port text);
    insert into boats values (1, 'Alba', 'Kiel'), (2, 'Brisa', 'Kiel'), (3, 'Kieler Sprotte', 'Bergen');
  `)
  database.close()
  const queries = [
    { kind: 'typo', target: 'Alba Nera', keyword: 'Abla Nera', decidable: true },
    { kind: 'gone', target: 'Dora', keyword: 'Alba Nera' },
    { kind: 'gone', target: 'Alba Nera', keyword: 'zzzz', decidable: false },
  ]
  writeFileSync(join(folder, 'values.txt'), 'Alba Nera\nBrisa\nBrisa\nCyan Sea\n')
  writeFileSync(join(folder, 'queries.jsonl'), `${queries.map(one => JSON.stringify(one)).join('\n')}\n`)
  writeFileSync(join(folder, 'broken.jsonl'), '{"kind": 1}\n')
})

afterAll(() => rmSync(folder, { recursive: true }))

describe('values', { timeout: 60_000 }, () => {
  it('shows what a keyword finds, and where', async () => {
    const { status, out } = await run('values', 'kiel', '--database', 'sqlite:harbour.sqlite', '--json')
    expect(status).toBe(0)
    expect(JSON.parse(out)).toEqual([
      { table: 'boats', column: 'home_port', value: 'Kiel', score: 0.99 },
      { table: 'boats', column: 'name', value: 'Kieler Sprotte', score: expect.any(Number) },
    ])
  })

  it('says so when there is nothing', async () => {
    const { status, out } = await run('values', 'qqqq', '--database', 'sqlite:harbour.sqlite')
    expect({ status, out }).toEqual({ status: 0, out: 'No value of this database matches the keyword.\n' })
  })
})

describe('bench values', { timeout: 60_000 }, () => {
  it('measures over the queries that can be decided', async () => {
    const { status, out } = await run(
      'bench',
      'values',
      '--values',
      'values.txt',
      '--queries',
      'queries.jsonl',
      '--json',
    )
    expect(status).toBe(0)
    expect(JSON.parse(out)).toEqual({
      n: 3,
      buildSeconds: expect.any(Number),
      indexBytes: expect.any(Number),
      p50: expect.any(Number),
      p95: expect.any(Number),
      recall10: 0.5,
      recall10ByKind: { typo: 1, gone: 0 },
    })
  })

  it('names the line that cannot be read', async () => {
    const { status, err } = await run(
      'bench',
      'values',
      '--values',
      'values.txt',
      '--queries',
      'broken.jsonl',
    )
    expect(status).toBe(2)
    expect(err).toContain('Line 1 of the queries')
  })
})
