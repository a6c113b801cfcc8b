import { readFileSync } from 'node:fs'
import { parseDatabaseReference } from '../../../../src/databases/database-reference.ts'
import { makeGuard } from '../../../../src/databases/guard/guard.ts'
import { withheldMessages } from '../../../../src/databases/guard/scope/withhold-messages.ts'
import { type OpenDatabase, openDatabase } from '../../../../src/databases/open-database.ts'
import type { Database, ReadScope } from '../../../../src/domain/database.ts'
import { silentAudit } from '../../../../src/domain/operations/audit.ts'
import { secretsOf, trickLists, type World, worldStatements } from './trick-database.ts'

/** What a server does for its tricks: makes a database of these statements and gives its address. */
export interface TrickServer {
  readonly name: string
  /** Columns of its own tables that the lists exclude or mask besides. */
  readonly lists?: { readonly exclude: readonly string[]; readonly mask: readonly string[] }
  readonly create: (
    statements: readonly string[],
  ) => Promise<{ readonly address: string; readonly drop: () => Promise<void> }>
  /**
   * What the server itself says that a statement reads, as `table` and `table.column`; null if it cannot be told.
   * Left out where a server tells nothing of the kind.
   */
  readonly readsOf?: (address: string, sql: string) => Promise<readonly string[] | null>
}

/** Both worlds of a server, opened the way the bot opens them, under the lists. */
export interface TrickWorlds extends AsyncDisposable {
  readonly address: Readonly<Record<World, string>>
  readonly database: Readonly<Record<World, Database>>
}

const limits = { timeoutMs: 20_000, maxRows: 200, maxBytes: 1_000_000 }

const listsOf = ({ lists }: TrickServer): ReadScope => ({
  ...trickLists,
  columns: {
    exclude: [...trickLists.columns.exclude, ...(lists?.exclude ?? [])],
    mask: [...trickLists.columns.mask, ...(lists?.mask ?? [])],
  },
})

/** What a person can see of a statement: its refusal, its error, or its rows. */
export interface Outcome {
  readonly kind: 'refused' | 'failed' | 'rows'
  readonly seen: string
}

/** The statements of a file of fixtures: one a line; lines that begin with `--` are headings. */
export const readStatementFile = (name: string): readonly string[] =>
  readFileSync(new URL(`../../../../fixtures/guard/scope-tricks/${name}.sql`, import.meta.url), 'utf8')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('--'))

/** Makes and opens both worlds; `<server>-schema.sql` adds tables, views and functions of the server's own. */
export const openWorlds = async (server: TrickServer): Promise<TrickWorlds> => {
  const more = readStatementFile(`${server.name}-schema`)
  const closers: (() => Promise<void>)[] = []
  const open = async (world: World): Promise<{ address: string; opened: OpenDatabase }> => {
    const { address, drop } = await server.create(worldStatements(world, more))
    closers.push(drop)
    const opened = await openDatabase(parseDatabaseReference(address, { baseFolder: '/' }), {
      audit: silentAudit,
      guard: makeGuard(),
      limits,
      scope: listsOf(server),
    })
    closers.push(opened.close)
    return { address, opened }
  }
  const close = async (): Promise<void> => {
    for (const closer of closers.reverse()) await closer()
  }
  try {
    const first = await open('first')
    const second = await open('second')
    return {
      address: { first: first.address, second: second.address },
      database: { first: first.opened.database, second: second.opened.database },
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Sends a statement the way the bot does. */
const outcomeOf = async (database: Database, sql: string): Promise<Outcome> => {
  const verdict = database.guard(sql)
  if (verdict.verdict === 'refuse') return { kind: 'refused', seen: verdict.reason }
  try {
    const { columns, rows } = await database.run(verdict.guarded)
    return { kind: 'rows', seen: JSON.stringify([columns.map(({ name }) => name), rows], plain) }
  } catch (error) {
    return { kind: 'failed', seen: error instanceof Error ? error.message : String(error) }
  }
}

const plain = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)

/** The name of a world's database, which statements write as `{db}`. */
const databaseName = (worlds: TrickWorlds, world: World): string =>
  /^\w+:\/\//.test(worlds.address[world]) ? new URL(worlds.address[world]).pathname.slice(1) : 'main'

/** Sends a statement to a world; the name of its database is `{db}` in what is seen, too. */
export const outcomeIn = async (worlds: TrickWorlds, world: World, sql: string): Promise<Outcome> => {
  const name = databaseName(worlds, world)
  const { kind, seen } = await outcomeOf(worlds.database[world], sql.replaceAll('{db}', name))
  return { kind, seen: seen.replaceAll(name, '{db}') }
}

/** Why a trick worked, in words; null when it gave nothing away. */
export const leakOf = async (worlds: TrickWorlds, trick: string): Promise<string | null> => {
  const { database } = worlds
  const [first, second] = [await outcomeIn(worlds, 'first', trick), await outcomeIn(worlds, 'second', trick)]
  const sql = trick.replaceAll('{db}', databaseName(worlds, 'first'))
  for (const [world, { seen }] of [
    ['first', first],
    ['second', second],
  ] as const) {
    const secret = secretsOf(world).find(value => seen.includes(value) && !sql.includes(value))
    if (secret !== undefined) return `shows ${secret}: ${seen.slice(0, 200)}`
  }
  if (first.kind !== second.kind || first.seen !== second.seen)
    return `differs: ${first.seen.slice(0, 200)} | ${second.seen.slice(0, 200)}`
  if (first.kind === 'failed' && !Object.values(withheldMessages).includes(first.seen))
    return `shows a message: ${first.seen}`
  return tellsApart(database.first, sql, {
    ...first,
    seen: first.seen.replaceAll('{db}', databaseName(worlds, 'first')),
  })
}

/** Names that the lists hide, and names that nobody has. */
const unknownNames: readonly (readonly [RegExp, string])[] = [
  [/salaries/gi, 'wagelist'],
  [/email/gi, 'ebull'],
  [/customer_contacts/gi, 'customer_contextx'],
  [/\bpay\b/gi, 'pqz'],
]

const inCaseOf = (found: string, name: string): string =>
  found === found.toUpperCase()
    ? name.toUpperCase()
    : found[0] === found[0]?.toUpperCase()
      ? name.charAt(0).toUpperCase() + name.slice(1)
      : name

const swapped = (text: string): string =>
  unknownNames.reduce((now, [name, other]) => now.replaceAll(name, found => inCaseOf(found, other)), text)

/** In double quotes, which SQLite takes for a text if no column has the name: then nothing can be refused. */
const mayBeText = /(?<![.\w])"\s*\w*email/i

/** A name that the statement gives to a result or a parameter: a hidden column of that name makes it ambiguous. */
const givesHiddenName = /\bAS\s+["`]?\s*\w*email|email["`']?\s*(?:->|:(?!:))|\w\(\s*email\s*\)/i

/** A refusal must be the same for an excluded name and for one that is not there at all. */
const tellsApart = (database: Database, sql: string, { kind, seen }: Outcome): string | null => {
  if (kind !== 'refused') return null
  const unknown = swapped(sql)
  // A name can be written in escapes.
  if (unknown === sql)
    return swapped(seen) === seen || sql.includes('U&"') ? null : `names what is hidden: ${seen}`
  const verdict = database.guard(unknown)
  const without = (reason: string): string => reason.replace(/; the nearest is .*$/, '')
  if (verdict.verdict === 'allow')
    return givesHiddenName.test(sql) || (database.dialect === 'sqlite' && mayBeText.test(sql))
      ? null
      : `tells excluded from unknown: ${seen} | (allowed)`
  return without(swapped(seen)) === without(verdict.reason)
    ? null
    : `tells excluded from unknown: ${seen} | ${verdict.reason}`
}
