import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { StatementRecord } from '../../src/domain/operations/audit.ts'
import { readAuditFiles } from '../../src/store/audit-file/audit-file.ts'
import { environmentOf } from '../helpers/cli/cli-environment.ts'
import { runCli } from '../helpers/cli/run-cli.ts'
import { collect } from '../helpers/collect.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'

let folder: string

let home: string

let boats: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'querent-shell-'))
  home = join(folder, 'home')
  const made = makeSqliteFile(`
    create table boats (id integer primary key, name text, home_port text);
    insert into boats values (1, 'Alba', 'Kiel'), (2, 'Brisa', 'Kiel'), (3, 'Cyan', 'Bergen');
  `)
  boats = made.file
  return () => {
    made.remove()
    rmSync(folder, { recursive: true, force: true })
  }
})

const run = (...args: readonly string[]) => runCli(args, { folder, home })

const log = (): Promise<StatementRecord[]> => collect(readAuditFiles(join(home, 'audit'), {}))

describe('a shell without a store', { timeout: 120_000 }, () => {
  it('keeps what was run, by whom and for which command', async () => {
    expect((await run('values', 'Kiel', '--database', `sqlite:${boats}`)).status).toBe(0)
    const measured = await log()
    expect(measured.length).toBeGreaterThan(0)
    for (const record of measured)
      expect(record).toMatchObject({
        ...{ origin: 'index', person: userInfo().username, command: 'querent values' },
        ...{ dialect: 'sqlite', verdict: 'ran', questionId: null },
      })

    expect((await run('ask', 'How many boats are there?', '--database', `sqlite:${boats}`)).status).toBe(0)
    const asked = (await log()).filter(({ command }) => command === 'querent ask')
    expect(asked).toContainEqual(
      expect.objectContaining({
        ...{ origin: 'command', person: userInfo().username, kind: 'run', verdict: 'ran', rows: 1 },
        ...{ questionId: expect.any(String), sql: expect.stringMatching(/count/i) },
      }),
    )
    // The index was there already, and no server was started for the log.
    expect(asked.filter(({ origin }) => origin === 'index')).toEqual([])
    expect(readdirSync(home).sort()).toEqual(['audit', 'cache'])
  })

  it('keeps the statements of an evaluation, known answers among them, and what the guard refused', async () => {
    const questions = [
      { id: 'a', db_id: 'test', question: 'How many boats are there?', gold: 'select count(*) from boats' },
      { id: 'b', db_id: 'test', question: 'How many ports are there?', gold: 'drop table boats' },
    ]
    writeFileSync(join(folder, 'questions.jsonl'), questions.map(line => JSON.stringify(line)).join('\n'))
    const place = ['--databases', join(boats, '..'), '--questions', 'questions.jsonl']
    expect((await run('eval', 'questions', ...place, '--model', 'none')).status).toBe(0)
    const evaluated = await log()
    expect(new Set(evaluated.map(({ command }) => command))).toEqual(new Set(['querent eval questions']))
    expect(evaluated).toContainEqual(
      expect.objectContaining({
        ...{ origin: 'command', questionId: null, verdict: 'ran' },
        sql: expect.stringMatching(/^select count\(\*\) from boats/),
      }),
    )
    expect(evaluated).toContainEqual(
      expect.objectContaining({ sql: 'drop table boats', verdict: 'refused', reason: expect.any(String) }),
    )
  })

  it('sends nothing where it cannot be written down, and says what to do', async () => {
    mkdirSync(home)
    writeFileSync(join(home, 'audit'), 'a file where the folder should be')
    const { status, err } = await run('values', 'Kiel', '--database', `sqlite:${boats}`)
    expect(status).toBe(1)
    expect(err).toContain('could not be written to the audit log')
    expect(err).toContain(join(home, 'audit'))
    expect(err).toContain('QUERENT_HOME')
    // The lock of the index has made the folder, and nothing was indexed.
    expect(readdirSync(join(home, 'cache'))).toEqual([])
  })

  it('still has the statement that ran when its process was killed', async () => {
    const endless =
      'with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000000) select count(*) from n a, n b'
    const line = { id: 'a', db_id: 'test', question: 'How many boats are there?', gold: endless }
    writeFileSync(join(folder, 'questions.jsonl'), JSON.stringify(line))
    const cli = join(import.meta.dirname, '../../src/cli.ts')
    const place = ['--databases', join(boats, '..'), '--questions', 'questions.jsonl', '--model', 'none']
    const child = spawn(process.execPath, ['--no-warnings', cli, 'eval', 'questions', ...place], {
      ...{
        cwd: folder,
        stdio: 'ignore',
        env: { PATH: process.env.PATH, ...environmentOf({ folder, home }) },
      },
    })
    const exited = once(child, 'exit')
    try {
      const verdicts = async () =>
        (await log()).filter(({ sql }) => sql.includes('recursive')).map(({ verdict }) => verdict)
      await expect.poll(verdicts, { timeout: 100_000 }).toEqual(['started'])
      child.kill('SIGKILL')
      await exited
      expect(await verdicts()).toEqual(['started'])
    } finally {
      child.kill('SIGKILL')
    }
  })
})
