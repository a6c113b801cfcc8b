import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { profileCatalog } from '../src/databases/catalog/profile-catalog.ts'
import { connect } from '../src/databases/connect.ts'
import { makeGuard } from '../src/databases/guard/guard.ts'
import { makeRunQuery } from '../src/databases/run-query.ts'
import type { ForeignKey } from '../src/domain/catalog.ts'
import { silentAudit } from '../src/domain/operations/audit.ts'

/**
 * `npm run bench:keys -- --databases DIR [--databases DIR ...]`: what is found of the foreign keys of SQLite files
 * when nobody had declared them. The declared keys are dropped, keys are derived from names, types and values, and
 * both are compared, a key being right whichever way round it was found.
 */

const limits = { timeoutMs: 60_000, maxRows: 200_000, maxBytes: 64 * 1024 * 1024 }

interface Compared {
  readonly name: string
  readonly declared: readonly string[]
  readonly derived: readonly string[]
  readonly right: readonly string[]
  /** Declared keys whose values are not on the other side, or that have none: no measurement could find them. */
  readonly empty: readonly string[]
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: { databases: { type: 'string', multiple: true, default: [] }, misses: { type: 'boolean' } },
  })
  const files = values.databases.flatMap(folder =>
    readdirSync(folder)
      .filter(name => name.endsWith('.sqlite'))
      .map(name => join(folder, name)),
  )
  const compared: Compared[] = []
  for (const file of files) {
    const one = await compare(file)
    compared.push(one)
    if (values.misses) for (const line of missesOf(one)) process.stdout.write(`${line}\n`)
  }
  const withKeys = compared.filter(({ declared }) => declared.length > 0)
  const table = new Table({ head: ['', 'databases', 'declared', 'found', 'right', 'precision', 'recall'] })
  table.push(rowOf('with declared keys', withKeys))
  table.push(rowOf('all', compared))
  process.stdout.write(`${table.toString()}\n`)
}

const compare = async (file: string): Promise<Compared> => {
  const connector = await connect(
    { dialect: 'sqlite', name: basename(file), location: file },
    { audit: silentAudit },
  )
  try {
    const introspected = await connector.introspect()
    const { foreignKeys } = await profileCatalog({
      catalog: { ...introspected, foreignKeys: [] },
      run: makeRunQuery({ connector, limits }),
      guard: makeGuard(),
    })
    // A declared key of several columns is compared column by column, as it is found.
    const declared = [...new Set(introspected.foreignKeys.flatMap(sidesOf))]
    const derived = [...new Set(foreignKeys.flatMap(sidesOf))]
    const filled = new Set(
      introspected.tables.filter(({ rowCount }) => (rowCount ?? 0) > 0).map(({ name }) => name),
    )
    const empty = introspected.foreignKeys
      .filter(({ from, to }) => !filled.has(from.table) || !filled.has(to.table))
      .flatMap(sidesOf)
    return {
      name: basename(file, '.sqlite'),
      declared,
      derived,
      right: derived.filter(key => declared.includes(key)),
      empty,
    }
  } finally {
    await connector.close()
  }
}

const sidesOf = ({ from, to }: ForeignKey): readonly string[] =>
  from.columns.map((column, at) =>
    [`${from.table}.${column}`, `${to.table}.${to.columns[at] ?? ''}`]
      .map(side => side.toLowerCase())
      .sort()
      .join(' = '),
  )

const missesOf = ({ name, declared, derived, empty }: Compared): readonly string[] => [
  ...declared
    .filter(key => !derived.includes(key))
    .map(key => `- ${name}: ${key}${empty.includes(key) ? ' (no rows)' : ''}`),
  ...derived.filter(key => !declared.includes(key)).map(key => `+ ${name}: ${key}`),
]

const rowOf = (title: string, compared: readonly Compared[]): (string | number)[] => {
  const count = (of: (one: Compared) => readonly string[]): number =>
    compared.reduce((sum, one) => sum + of(one).length, 0)
  const declared = count(one => one.declared)
  const found = count(one => one.derived)
  const right = count(one => one.right)
  return [
    title,
    compared.length,
    declared,
    found,
    right,
    (right / found).toFixed(3),
    (right / declared).toFixed(3),
  ]
}

await main()
