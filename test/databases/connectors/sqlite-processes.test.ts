import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { makeSqliteConnector } from '../../../src/databases/connectors/sqlite/connector.ts'
import { runOn } from '../../helpers/run-on.ts'
import { observeFor } from '../../helpers/wait.ts'
import { openSqliteFolder, sqliteNumbers, sqliteProcesses } from './sqlite-folder.ts'

const { makeFile } = openSqliteFolder()

describe('processes of the SQLite connector', () => {
  const parents: ChildProcess[] = []
  afterEach(() => {
    for (const parent of parents.splice(0)) parent.kill('SIGKILL')
  })

  /** A program of its own that opens a file and runs one statement. */
  const startParent = (file: string, sql: string): ChildProcess => {
    const module = join(import.meta.dirname, '../../../src/databases/connectors/sqlite/connector.ts')
    const program = `
      import { makeSqliteConnector } from ${JSON.stringify(module)}
      const connector = await makeSqliteConnector({ file: ${JSON.stringify(file)} })
      const sql = { sql: ${JSON.stringify(sql)}, dialect: 'sqlite' }
      const result = await connector.run(sql, { timeoutMs: 60000, maxRows: 10, maxBytes: 1000 })
      process.stdout.write(JSON.stringify(result.rows))`
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    parents.push(parent)
    return parent
  }

  it('do not outlive a parent that is killed while they are at work', async () => {
    const file = makeFile('create table t (x)')
    const parent = startParent(file, `select count(*) from (${sqliteNumbers(2_000_000_000_000)})`)
    await vi.waitFor(async () => expect(await sqliteProcesses.workingOn(file)).toBe(1), { timeout: 10_000 })
    parent.kill('SIGKILL')
    await vi.waitFor(() => expect(sqliteProcesses.processesOn(file)).toEqual([]), { timeout: 10_000 })
  }, 30_000)

  it('let a parent go that forgot to close, without a word on standard error', async () => {
    const file = makeFile('create table t (x)')
    const parent = startParent(file, 'select 1')
    let output = ''
    let complaints = ''
    parent.stdout!.on('data', chunk => {
      output += chunk
    })
    parent.stderr!.on('data', chunk => {
      complaints += chunk
    })
    const code = await new Promise(resolve => parent.once('close', resolve))
    expect({ code, output, complaints }).toEqual({ code: 0, output: '[[1]]', complaints: '' })
    await vi.waitFor(() => expect(sqliteProcesses.processesOn(file)).toEqual([]), { timeout: 10_000 })
  }, 30_000)

  it('rest while nothing is asked', async () => {
    const file = makeFile('create table t (x)')
    const connector = await makeSqliteConnector({ file })
    await runOn(connector, 'select 1')
    // What is started last is compiled and collected for a while; one that polls would never rest for a second.
    const restsForASecond = async (): Promise<void> => {
      const [before] = sqliteProcesses.processesOn(file)
      await observeFor(1_000)
      const [after] = sqliteProcesses.processesOn(file)
      expect(after!.pid).toBe(before!.pid)
      // A hundred ticks are a second of work; a few may go to collecting garbage.
      expect(after!.ticks - before!.ticks).toBeLessThanOrEqual(5)
    }
    await vi.waitFor(restsForASecond, { timeout: 20_000 })
    await connector.close()
  })

  it('are as many as statements run at once, and no more than allowed', async () => {
    const file = makeFile('create table t (x)')
    const connector = await makeSqliteConnector({ file, processes: 2 })
    expect(sqliteProcesses.processesOn(file)).toEqual([])
    await runOn(connector, 'select 1')
    await runOn(connector, 'select 1')
    expect(sqliteProcesses.processesOn(file).length).toBe(1)
    await Promise.all(Array.from({ length: 6 }, () => runOn(connector, 'select 1')))
    expect(sqliteProcesses.processesOn(file).length).toBe(2)
    await connector.close()
    expect(sqliteProcesses.processesOn(file)).toEqual([])
  })
})
