import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { makeGuard } from '../src/databases/guard/guard.ts'
import type { Connector } from '../src/domain/database.ts'
import { brandGuardedSql } from '../src/domain/sql.ts'
import { databaseDialect } from '../src/sql/dialects.ts'
import { runServers, sessionProbes } from './guard/run-servers.ts'
import { readSuiteFiles, type SuiteName } from './guard/suite-statements.ts'

/**
 * `npm run bench:guard-run -- --postgres DIR --mysql DIR --sqlite DIR --duckdb DIR [--most N --files N --json]`: every
 * query of the servers' own test suites that the guard allows, run through the connectors by a user who may do
 * everything. `--most` ends a suite after as many statements; `--files` puts so many files into one database. Exits 1 if
 * one changed anything, or left a connection other than it was. The suites are not part of this repository.
 */
const { values } = parseArgs({
  options: {
    postgres: { type: 'string' },
    mysql: { type: 'string' },
    sqlite: { type: 'string' },
    duckdb: { type: 'string' },
    most: { type: 'string', default: '1000000' },
    files: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
})

const guard = makeGuard()

const limits = { timeoutMs: 2_000, maxRows: 1_000, maxBytes: 4_000_000 }

interface Counts {
  ran: number
  failed: number
  timedOut: number
  /** Groups of files after which something was other than before. */
  effects: number
  /** Connections that were other than a fresh one. */
  poisoned: number
}

const probe = async (connector: Connector, name: SuiteName): Promise<string> => {
  try {
    const { rows } = await connector.run(brandGuardedSql(sessionProbes[name], name), {
      ...limits,
      timeoutMs: 10_000,
    })
    return JSON.stringify(rows)
  } catch (error) {
    return `failed: ${(error as Error).message}`
  }
}

const runSuite = async (name: SuiteName, folder: string): Promise<Counts> => {
  const counts: Counts = { ran: 0, failed: 0, timedOut: 0, effects: 0, poisoned: 0 }
  const files = readSuiteFiles(name, folder)
  const server = await runServers[name]()
  const seen = new Set<string>()
  const perWorld = Number(values.files)
  try {
    for (let at = 0; at < files.length; at += perWorld) {
      const group = files.slice(at, at + perWorld)
      const queries = group
        .flatMap(one => one.queries)
        .filter(sql => {
          const key = `${at} ${sql}`
          const isNew = !seen.has(key)
          seen.add(key)
          return isNew && guard(sql, name).verdict === 'allow'
        })
      if (queries.length === 0) continue
      const world = await server.make(group.flatMap(one => one.made))
      const connector = await databaseDialect(name).openConnector(
        { location: world.location, name },
        { concurrency: 1 },
      )
      try {
        const fresh = await probe(connector, name)
        const before = await world.look()
        for (const sql of queries) {
          const verdict = guard(sql, name)
          if (verdict.verdict === 'refuse') continue
          try {
            await connector.run(verdict.guarded, limits)
            counts.ran += 1
          } catch (error) {
            if ((error as { readonly errorClass?: string }).errorClass === 'timeout') counts.timedOut += 1
            else counts.failed += 1
          }
        }
        const [after, left] = [await world.look(), await probe(connector, name)]
        const names = group.map(({ file }) => file).join(', ')
        if (after !== before) {
          counts.effects += 1
          const [was, is] = [before.split('\n'), after.split('\n')]
          const changed = is.findIndex((line, index) => line !== was[index])
          process.stderr.write(
            `\n${names}\n  before ${was[changed]?.slice(0, 600)}\n  after  ${is[changed]?.slice(0, 600)}\n`,
          )
        }
        if (left !== fresh) {
          counts.poisoned += 1
          process.stderr.write(`\n${names}\n  fresh ${fresh.slice(0, 600)}\n  left  ${left.slice(0, 600)}\n`)
        }
      } finally {
        await connector.close()
        await world.remove()
      }
      const all = counts.ran + counts.failed + counts.timedOut
      if (!values.json)
        process.stderr.write(`\r${name}: ${at + group.length} of ${files.length} files, ${all} statements `)
      if (all >= Number(values.most)) break
    }
  } finally {
    await server.close()
  }
  return counts
}

const results: Partial<Record<SuiteName, Counts>> = {}
for (const name of ['postgres', 'mysql', 'sqlite', 'duckdb'] as const) {
  const folder = values[name]
  if (folder !== undefined) results[name] = await runSuite(name, folder)
}
if (values.json) process.stdout.write(`${JSON.stringify(results)}\n`)
else {
  const table = new Table({
    head: ['suite', 'ran', 'failed', 'timed out', 'effects', 'poisoned connections'],
  })
  for (const [name, { ran, failed, timedOut, effects, poisoned }] of Object.entries(results))
    table.push([name, ran, failed, timedOut, effects, poisoned])
  process.stdout.write(`${table.toString()}\n`)
}
process.exitCode = Object.values(results).some(({ effects, poisoned }) => effects + poisoned > 0) ? 1 : 0
