import type { OpenDatabase } from '../../../../src/databases/open-database.ts'
import { type DataRights, plainSession } from '../../../../src/domain/access/data-rights.ts'
import { unrestrictedScope } from '../../../../src/domain/database.ts'
import { makeDice } from '../random-statement.ts'
import { openUnder, tryStatement } from '../rights/try-rights.ts'
import { withoutMarks } from './droppable.ts'
import { worldTables } from './grammar.ts'
import type { MadeDatabase, NamesServer } from './names-servers.ts'
import { namesStatement } from './names-statement.ts'
import { settingRights, tableStatements, worldStatements } from './names-world.ts'
import { reasonKind } from './run-leaks.ts'

/**
 * What is compared with what: `scope`, a list that hides an unrelated table with nothing; `rules`, row rules and masks with
 * a copy that holds what they show.
 */
export type Comparison = 'scope' | 'rules'

/** Statements that run without restrictions, and what they come to under them. */
export interface EquivalenceCounts {
  /** Ran without restrictions. */
  ran: number
  equal: number
  /** The same rows under other headings. */
  headings: number
  different: number
  /** Refused or failed under restrictions alone. */
  refused: number
  /** Of those that ran and those that were refused: the ones with everyday names and forms. */
  ordinary: number
  ordinaryRefused: number
  /** Rows depend on the order in which they are read. */
  arbitrary: number
}

/** What a comparison found. */
export interface EquivalenceReport {
  readonly counts: EquivalenceCounts
  readonly examples: readonly string[]
  readonly reasons: ReadonlyMap<string, number>
}

interface Opened {
  readonly made: MadeDatabase
  readonly opened: OpenDatabase
}

/** Hides one table that no statement names; every other name has to be resolved. */
export const hideOnly = (table: string): DataRights => ({
  key: '0123456789abcdef',
  group: 'names',
  scope: { ...unrestrictedScope, tables: { include: [], exclude: [table] } },
  rowRules: [],
  columnMasks: [],
  mayExport: true,
  session: plainSession,
})

/** Counts that are all zero. */
export const noCounts = (): EquivalenceCounts => ({
  ...{ ran: 0, equal: 0, headings: 0, different: 0 },
  ...{ refused: 0, ordinary: 0, ordinaryRefused: 0, arbitrary: 0 },
})

/** One of five has names of tables for aliases, a hint behind a table, or a form of its dialect alone. */
export const ordinaryStatement = (
  { grammar }: NamesServer,
  seed: number,
): { readonly sql: string; readonly isOrdinary: boolean } => {
  const dice = makeDice(seed)
  const isOrdinary = dice.roll(5) > 0
  const idioms = grammar.idioms.filter(idiom => !idiom.includes('vault') && !idiom.includes('salaries'))
  const tables = worldTables.filter(({ name }) => name !== 'salaries')
  const marked = namesStatement(dice, {
    grammar: { ...grammar, idioms, suffixes: isOrdinary ? [] : grammar.suffixes },
    tables,
    wild: 0,
    shadows: !isOrdinary,
    idioms: isOrdinary ? 0 : 50,
  })
  return { sql: withoutMarks(marked), isOrdinary }
}

/** What a result shows, in no order: headings and rows. */
const partsOf = (shown: string): { readonly headings: string; readonly rows: string } => {
  const [headings, rows] = JSON.parse(shown) as [readonly string[], readonly unknown[]]
  return {
    headings: JSON.stringify(headings),
    rows: JSON.stringify(rows.map(row => JSON.stringify(row)).sort()),
  }
}

/** Runs ordinary statements with restrictions and without, until as many ran without. */
export const runEquivalence = async (
  server: NamesServer,
  comparison: Comparison,
  options: {
    readonly statements: number
    readonly seed: number
    readonly onProgress?: (done: number) => void
  },
): Promise<EquivalenceReport> => {
  const closers: (() => Promise<void>)[] = []
  const open = async (statements: readonly string[], rights: DataRights | null): Promise<Opened> => {
    const made = await server.create(statements)
    closers.push(made.drop)
    const opened = await openUnder(made.address, rights)
    closers.push(opened.close)
    return { made, opened }
  }
  try {
    const { restricted, plain, shuffled } = await openPair(server, comparison, open)
    const counts = noCounts()
    const reasons = new Map<string, number>()
    const examples: string[] = []
    const send = ({ made, opened }: Opened, sql: string) =>
      tryStatement(opened, sql.replaceAll('{db}', made.name))
    let seed = options.seed * 1_000_000
    const work = async (): Promise<void> => {
      while (counts.ran < options.statements) {
        seed += 1
        const { sql, isOrdinary } = ordinaryStatement(server, seed)
        const own = seed
        const expected = await send(plain, sql)
        if (expected.status !== 'rows' || expected.isCut) continue
        counts.ran += 1
        if (isOrdinary) counts.ordinary += 1
        const seen = await send(restricted, sql)
        if (seen.status !== 'rows') {
          counts.refused += 1
          const why = `${isOrdinary ? 'ordinary' : 'unusual'}: ${seen.status}: ${reasonKind(seen.shown)}`
          reasons.set(why, (reasons.get(why) ?? 0) + 1)
          if (isOrdinary) counts.ordinaryRefused += 1
          if (isOrdinary && examples.length < 20)
            examples.push(`${own} ${seen.status}: ${seen.shown}\n    ${sql}`)
          continue
        }
        const [one, two] = [partsOf(seen.shown), partsOf(expected.shown)]
        if (one.rows === two.rows) {
          if (one.headings === two.headings) counts.equal += 1
          else counts.headings += 1
          continue
        }
        const other = await send(await shuffled(), sql)
        if (other.status !== 'rows' || partsOf(other.shown).rows !== two.rows) counts.arbitrary += 1
        else {
          counts.different += 1
          examples.unshift(
            `${own} different\n    ${sql}\n    ${one.rows.slice(0, 300)}\n    ${two.rows.slice(0, 300)}`,
          )
        }
        if (counts.ran % 100 === 0) options.onProgress?.(counts.ran)
      }
    }
    await Promise.all(Array.from({ length: server.atOnce }, work))
    return { counts, reasons, examples: examples.slice(0, 30) }
  } finally {
    for (const closer of closers.toReversed()) await closer()
  }
}

interface Pair {
  readonly restricted: Opened
  readonly plain: Opened
  /** As `plain`, its rows in another order. */
  readonly shuffled: () => Promise<Opened>
}

type Open = (statements: readonly string[], rights: DataRights | null) => Promise<Opened>

const openPair = async (server: NamesServer, comparison: Comparison, open: Open): Promise<Pair> => {
  let shuffled: Promise<Opened> | null = null
  const later = (statements: readonly string[]) => () => {
    shuffled ??= open(statements, null)
    return shuffled
  }
  if (comparison === 'scope') {
    const statements = worldStatements('lists', 'first', server.form)
    return {
      restricted: await open(statements, hideOnly('salaries')),
      plain: await open(statements, null),
      shuffled: later(worldStatements('lists', 'shuffled', server.form)),
    }
  }
  const restricted = await open(
    worldStatements('rules', 'first', server.form),
    settingRights('rules', server.form),
  )
  const shown = await Promise.all(
    worldTables.map(async ({ name }) => [name, await rowsShown(restricted, name)] as const),
  )
  const copy = (isReversed: boolean): readonly string[] =>
    shown.flatMap(([table, rows]) =>
      tableStatements(table, isReversed ? rows.toReversed() : rows, server.form),
    )
  return { restricted, plain: await open(copy(false), null), shuffled: later(copy(true)) }
}

/** The rows of a table as the rights show them, as SQL writes them. */
const rowsShown = async ({ opened }: Opened, table: string): Promise<readonly (readonly string[])[]> => {
  const columns = worldTables.find(({ name }) => name === table)?.columns ?? []
  const { status, shown } = await tryStatement(
    opened,
    `SELECT ${columns.map(({ name }) => name).join(', ')} FROM ${table}`,
  )
  if (status !== 'rows') throw new Error(`${table} cannot be read under rules: ${shown}`)
  const [, rows] = JSON.parse(shown) as [unknown, readonly (readonly (string | number | null)[])[]]
  return rows.map(row => row.map(value => (typeof value === 'string' ? `'${value}'` : String(value))))
}
