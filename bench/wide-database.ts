import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { Client } from 'pg'
import { makeProgressBar, processTerminal } from '../src/cli/terminal.ts'
import { type DatabaseReference, parseDatabaseReference } from '../src/databases/database-reference.ts'
import { makeGuard } from '../src/databases/guard/guard.ts'
import { openDatabase } from '../src/databases/open-database.ts'
import { silentAudit } from '../src/domain/operations/audit.ts'
import { generateWideDatabase, usualWideSize } from './wide-database/generate-wide-database.ts'
import { writePostgres } from './wide-database/write-postgres.ts'
import { writeSqlite } from './wide-database/write-sqlite.ts'

/**
 * `npm run bench:wide`: how long a database of 1,000 tables and 20,000 columns takes to be measured and indexed, what
 * it takes of memory, and how fast it is there again. On SQLite, and on Postgres where DATABASE_URL says who may
 * create a database. Each is measured in a process of its own, started as `npm start` starts the server. `--only` measures
 * another SQLite file or address instead, in this process. `--json` prints figures for the scoreboard.
 */

const limits = { timeoutMs: 30_000, maxRows: 10_000, maxBytes: 20_000_000 }

/** What was measured of one database. Times in milliseconds, memory in megabytes. */
interface Measured {
  readonly database: string
  readonly tables: number
  readonly columns: number
  readonly values: number
  readonly firstMs: number
  readonly firstRssMb: number
  readonly againMs: number
  readonly storedMb: number
  readonly derivedKeys: number
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      rows: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  const folder = mkdtempSync(join(tmpdir(), 'querent-wide-'))
  const measured: Measured[] = []
  try {
    if (values.only) measured.push(await measure(referenceTo(values.only), folder))
    else {
      const tables = generateWideDatabase({
        ...usualWideSize,
        ...(values.rows && { mostRows: Number(values.rows) }),
      })
      const file = join(folder, 'wide.sqlite')
      writeSqlite(file, tables)
      measured.push(measureApart(file))
      await onPostgres(async url => {
        await writePostgres(url, tables)
        measured.push(measureApart(url))
      })
    }
    if (values.json) process.stdout.write(`${JSON.stringify(Object.fromEntries(measured.map(figures)))}\n`)
    else show(measured)
    if (!values.only) keep(measured)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const figures = (one: Measured) => [one.database, { ...one, firstSeconds: one.firstMs / 1000 }] as const

/** As in package.json's `start`: memory depends on these. */
const serverFlags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8', '--liftoff-only']
const serverMemory = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' }

/** Measures in a new process, so that neither the generator nor another database counts. */
const measureApart = (place: string): Measured => {
  const { status, stdout } = spawnSync(
    process.execPath,
    [...serverFlags, import.meta.filename, '--only', place, '--json'],
    { env: { ...process.env, ...serverMemory }, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`measuring ended with ${status}`)
  return Object.values(JSON.parse(stdout) as Record<string, Measured>)[0]!
}

const referenceTo = (place: string): DatabaseReference =>
  place.includes('://') ? parseDatabaseReference(place, { baseFolder: process.cwd() }) : fileReference(place)

const fileReference = (file: string): DatabaseReference => ({
  dialect: 'sqlite',
  name: file.split('/').at(-1) ?? file,
  location: file,
})

const measure = async (reference: DatabaseReference, folder: string): Promise<Measured> => {
  const cacheFolder = join(folder, `cache-${reference.dialect}`)
  const bar = makeProgressBar(processTerminal())
  const open = async () => {
    const began = performance.now()
    const opened = await openDatabase(reference, {
      audit: silentAudit,
      guard: makeGuard(),
      limits,
      cacheFolder,
      timeBudgetMs: 600_000,
      onProgress: ({ done, total }) =>
        bar.onProgress({ doing: `Indexing ${reference.dialect}`, share: total === 0 ? 1 : done / total }),
    })
    await opened.close()
    return { opened, milliseconds: Math.round(performance.now() - began) }
  }
  const first = await open()
  // The highest that the system saw, in kilobytes.
  const peakRss = process.resourceUsage().maxRSS * 1024
  bar.clear()
  const again: number[] = []
  while (again.length < 3) again.push((await open()).milliseconds)
  const report = first.opened.report()
  return {
    database: reference.dialect,
    tables: report.tables,
    columns: report.columns,
    values: report.values,
    firstMs: first.milliseconds,
    firstRssMb: Math.round(peakRss / 1e6),
    againMs: Math.min(...again),
    storedMb: storedMegabytes(cacheFolder),
    derivedKeys: report.derivedKeys.length,
  }
}

const storedMegabytes = (folder: string): number => {
  if (!existsSync(folder)) return 0
  return Number(
    (readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) / 1e6).toFixed(1),
  )
}

const onPostgres = async (work: (url: string) => Promise<void>): Promise<void> => {
  const server = process.env.DATABASE_URL
  if (!server) {
    process.stderr.write('Postgres is left out: DATABASE_URL is not set.\n')
    return
  }
  const name = `querent_wide_${process.pid}`
  const admin = new Client({ connectionString: server })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
  try {
    const url = new URL(server)
    url.pathname = `/${name}`
    await work(url.href)
  } finally {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.end()
  }
}

const show = (measured: readonly Measured[]): void => {
  const table = new Table({
    head: [
      '',
      'tables',
      'columns',
      'values',
      'first index',
      'memory',
      'there again',
      'stored',
      'derived keys',
    ],
  })
  for (const one of measured)
    table.push([
      one.database,
      one.tables,
      one.columns,
      one.values,
      `${(one.firstMs / 1000).toFixed(1)} s`,
      `${one.firstRssMb} MB`,
      `${one.againMs} ms`,
      `${one.storedMb} MB`,
      one.derivedKeys,
    ])
  process.stdout.write(`${table.toString()}\n`)
}

const keep = (measured: readonly Measured[]): void => {
  const at = new Date().toISOString()
  const machine = { processors: availableParallelism(), model: cpus()[0]?.model ?? '', load: loadavg()[0] }
  const folder = join(import.meta.dirname, 'results')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `wide-database-${at.replaceAll(':', '-')}.json`)
  writeFileSync(file, `${JSON.stringify({ at, machine, measured }, null, 2)}\n`)
}

await main()
