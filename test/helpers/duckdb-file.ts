import { execFileSync, spawn } from 'node:child_process'
import process from 'node:process'

/** DuckDB runs in a process of its own, as it does for real: a file that one has open cannot be opened by another. */
const program = (path: string, sql: string, rest: string): string => `
  import { DuckDBInstance } from '@duckdb/node-api'
  const instance = await DuckDBInstance.create(${JSON.stringify(path)})
  const connection = await instance.connect()
  await connection.run(${JSON.stringify(sql)})
  ${rest}
  connection.closeSync()
  instance.closeSync()`

const flags = ['--input-type=module', '--eval']

/** Runs statements on a DuckDB database, which is made if it is not there; `:memory:` writes nothing but what they write. */
export const makeDuckdbFile = async (path: string, sql: string): Promise<void> => {
  execFileSync(process.execPath, [...flags, program(path, sql, '')], { stdio: ['ignore', 'ignore', 'pipe'] })
}

/** The same, and keeps it open for writing until the result is called. */
export const lockDuckdbFile = async (path: string, sql: string): Promise<() => Promise<void>> => {
  const rest = `process.stdout.write('held'); await new Promise(resolve => process.stdin.once('data', resolve).once('end', resolve))`
  const holder = spawn(process.execPath, [...flags, program(path, sql, rest)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const gone = new Promise<void>(resolve => holder.once('close', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    holder.stdout.once('data', () => resolve())
    holder.once('close', code => reject(new Error(`The program that holds ${path} ended with ${code}.`)))
  })
  return async () => {
    holder.stdin.end()
    await gone
  }
}
