import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { connect } from '../src/databases/connect.ts'
import { parseDatabaseReference } from '../src/databases/database-reference.ts'
import { makeGuard } from '../src/databases/guard/guard.ts'
import { silentAudit } from '../src/domain/operations/audit.ts'
import { percentile } from '../src/evaluation/statistics.ts'

/**
 * `npm run bench:connectors -- ADDRESS [ADDRESS ...]`: what each connector costs a process: memory of its driver and first
 * statement, time to open, time of `SELECT 1` through the whole connector. Each is measured in a process of its own, beside
 * one that opens nothing.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { alone: { type: 'boolean', default: false } },
})

interface Cost {
  readonly engine: string
  readonly megabytes: number
  readonly openMilliseconds: number
  readonly p50: number
  readonly p95: number
}

const statements = 50

const memory = (): number => {
  globalThis.gc?.()
  return process.memoryUsage().rss / 2 ** 20
}

const measure = async (address: string): Promise<Cost> => {
  const reference = parseDatabaseReference(address, { baseFolder: process.env.INIT_CWD ?? process.cwd() })
  const guard = makeGuard()
  const verdict = guard('SELECT 1', reference.dialect)
  if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
  const before = memory()
  const began = performance.now()
  const connector = await connect(reference, { audit: silentAudit })
  const openMilliseconds = performance.now() - began
  const times: number[] = []
  for (let at = 0; at < statements; at += 1) {
    const started = performance.now()
    await connector.run(verdict.guarded, { timeoutMs: 30_000, maxRows: 10, maxBytes: 1000 })
    times.push(performance.now() - started)
  }
  const megabytes = memory() - before
  await connector.close()
  return {
    engine: reference.dialect,
    megabytes,
    openMilliseconds,
    p50: percentile(times, 0.5) ?? 0,
    p95: percentile(times, 0.95) ?? 0,
  }
}

if (values.alone) console.log(JSON.stringify(await measure(positionals[0] ?? '')))
else {
  const table = new Table({
    head: ['engine', 'memory', 'open', 'SELECT 1, p50', 'p95'],
    style: { head: [], border: [] },
  })
  for (const address of positionals) {
    const options = ['--disable-warning=ExperimentalWarning', '--expose-gc', fileURLToPath(import.meta.url)]
    const text = execFileSync(process.execPath, [...options, '--alone', address], { encoding: 'utf8' })
    const { engine, megabytes, openMilliseconds, p50, p95 } = JSON.parse(text) as Cost
    const ms = (value: number): string => `${value.toFixed(1)} ms`
    table.push([engine, `${megabytes.toFixed(1)} MB`, ms(openMilliseconds), ms(p50), ms(p95)])
  }
  console.log(table.toString())
}
