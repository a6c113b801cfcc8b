import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { startEmbeddedServer } from '../../src/store/embedded/embedded-server.ts'
import { judgeTricks, type TrickReport } from '../../test/databases/guard/scope-tricks/judge-tricks.ts'
import type { TrickServer } from '../../test/databases/guard/scope-tricks/run-tricks.ts'
import {
  duckdbTricks,
  mysqlTricks,
  postgresTricks,
  sqliteTricks,
} from '../../test/databases/guard/scope-tricks/trick-servers.ts'

/**
 * `scope-tricks.ts SERVER...`: sends the tricks against the lists of tables and columns to each server, and prints
 * `{SERVER: {scopeTricks, scopeLeaks, harmless, harmlessRefused, resolved}, all: ...}`. Postgres is the built-in one;
 * mysql needs MYSQL_URL. Leaks are listed on standard error.
 */
const withPostgres = async <T>(work: (server: TrickServer) => Promise<T>): Promise<T> => {
  const home = await mkdtemp(join(tmpdir(), 'querent-tricks-'))
  const server = await startEmbeddedServer({ home, durable: false })
  try {
    return await work(postgresTricks(server.adminUrl))
  } finally {
    await server.stop()
    await rm(server.folder, { recursive: true, force: true })
    await rm(home, { recursive: true, force: true })
  }
}

const judges: Readonly<Record<string, () => Promise<TrickReport>>> = {
  sqlite: () => judgeTricks(sqliteTricks),
  duckdb: () => judgeTricks(duckdbTricks),
  postgres: () => withPostgres(judgeTricks),
  mysql: () => {
    const url = process.env.MYSQL_URL
    if (!url) throw new Error('set MYSQL_URL to a user who may create databases')
    return judgeTricks(mysqlTricks(url))
  },
}

const countsOf = ({ tricks, leaks, harmless, refused, resolved }: TrickReport) => ({
  scopeTricks: tricks,
  scopeLeaks: leaks.length,
  harmless,
  harmlessRefused: refused.length,
  resolved,
})

const asked = process.argv.slice(2)
const counts: Record<string, ReturnType<typeof countsOf>> = {}
for (const name of asked.length === 0 ? Object.keys(judges) : asked) {
  const judge = judges[name]
  if (judge === undefined) throw new Error(`there are no tricks for ${name}`)
  const report = await judge()
  for (const line of [...report.leaks, ...report.refused]) process.stderr.write(`${name}: ${line}\n`)
  counts[name] = countsOf(report)
}

const sum = (key: keyof ReturnType<typeof countsOf>): number =>
  Object.values(counts).reduce((total, one) => total + one[key], 0)

const all = {
  scopeTricks: sum('scopeTricks'),
  scopeLeaks: sum('scopeLeaks'),
  harmless: sum('harmless'),
  harmlessRefused: sum('harmlessRefused'),
  resolved: sum('resolved'),
}

console.log(JSON.stringify({ ...counts, all }))
