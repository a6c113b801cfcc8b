import { makeDice } from '../random-statement.ts'
import { shrink, withoutMarks } from './droppable.ts'
import { hiddenColumns, worldTables } from './grammar.ts'
import { type Judged, type OpenWorlds, openWorlds } from './judge-names.ts'
import { knownTricks } from './known-tricks.ts'
import type { NamesServer } from './names-servers.ts'
import { namesStatement } from './names-statement.ts'
import { type Setting, settings } from './names-world.ts'

/** A statement that gave something away. */
export interface FoundLeak {
  readonly setting: Setting
  /** Null for a known trick. */
  readonly seed: number | null
  readonly sql: string
  readonly why: string
}

/** What the statements of one setting came to. */
export interface LeakCounts {
  statements: number
  /** Allowed, and run by the server in both worlds. */
  ran: number
  refused: number
  failed: number
  arbitrary: number
  leaked: number
}

/** What the proof found on one server. */
export interface LeakReport {
  readonly counts: Readonly<Record<Setting, LeakCounts>>
  readonly leaks: readonly FoundLeak[]
  /** How often each reason was given. */
  readonly reasons: ReadonlyMap<string, number>
}

/** What is run, and who is told how far it is. */
export interface LeakOptions {
  /** Of all settings together. */
  readonly statements: number
  readonly seed: number
  readonly onProgress?: (done: number, leaks: number) => void
  /** How many leaks are made smaller. */
  readonly shrunk?: number
}

/** One word for each name, so that reasons can be counted. */
export const reasonKind = (text: string): string =>
  text
    .replaceAll(/“[^”]*”|"[^"]*"|`[^`]*`|'[^']*'/g, '…')
    .replaceAll(/\d+/g, '0')
    .replace(/; the nearest is .*$/, '')
    .slice(0, 100)

/**
 * The statement of a seed. A third is over ordinary names alone; where nothing is restricted, half of the tables are those
 * of the system.
 */
export const leakStatement = ({ grammar, form }: NamesServer, setting: Setting, seed: number): string => {
  const dice = makeDice(seed)
  const tables =
    setting === 'system' && dice.roll(2) === 0 ? [...grammar.system, ...worldTables] : worldTables
  const open =
    setting === 'system' || dice.roll(3) > 0
      ? tables
      : tables
          .filter(({ name }) => name !== 'salaries')
          .map(table => ({
            ...table,
            columns: table.columns.filter(({ name }) => !hiddenColumns.includes(name)),
          }))
  const idioms = grammar.idioms.filter(idiom => form.struct !== null || !idiom.includes('vault'))
  return namesStatement(dice, {
    grammar: { ...grammar, idioms },
    tables: open,
    wild: 40,
    shadows: true,
    idioms: 25,
  })
}

const emptyCounts = (): LeakCounts => ({
  statements: 0,
  ran: 0,
  refused: 0,
  failed: 0,
  arbitrary: 0,
  leaked: 0,
})

/** Whether a statement has ended its server: from then on all would fail alike in both worlds. */
const isGone = async ({ judge }: OpenWorlds, judged: Judged): Promise<boolean> =>
  judged.status === 'failed' &&
  /connect/i.test(judged.message) &&
  (await judge('SELECT 1')).status === 'failed'

/** Sends generated statements and known tricks to both worlds of every setting. */
export const runLeaks = async (server: NamesServer, options: LeakOptions): Promise<LeakReport> => {
  const counts = {
    rules: emptyCounts(),
    lists: emptyCounts(),
    both: emptyCounts(),
    system: emptyCounts(),
  } satisfies Record<Setting, LeakCounts>
  const leaks: FoundLeak[] = []
  const reasons = new Map<string, number>()
  let done = 0
  const count = (setting: Setting, judged: Judged): void => {
    const now = counts[setting]
    now.statements += 1
    done += 1
    if (judged.status === 'rows') now.ran += 1
    else now[judged.status] += 1
    if (judged.leak !== null) now.leaked += 1
    if (judged.status === 'refused' || judged.status === 'failed') {
      const why = `${judged.status}: ${reasonKind(judged.status === 'refused' ? judged.reason : judged.message)}`
      reasons.set(why, (reasons.get(why) ?? 0) + 1)
    }
    if (done % 100 === 0) options.onProgress?.(done, leaks.length)
  }
  const each = Math.ceil(options.statements / settings.length)
  for (const setting of settings) {
    const worlds = await openWorlds(server, setting)
    try {
      for (const sql of knownTricks[server.grammar.dialect] ?? []) {
        const judged = await worlds.judge(sql)
        if (judged.leak !== null) leaks.push({ setting, seed: null, sql, why: judged.leak.why })
      }
      let next = 0
      const work = async (): Promise<void> => {
        while (next < each) {
          const seed = options.seed * 1_000_000 + settings.indexOf(setting) * 250_000 + next
          next += 1
          const marked = leakStatement(server, setting, seed)
          const judged = await worlds.judge(withoutMarks(marked))
          if (await isGone(worlds, judged))
            throw new Error(`the server is gone: seed ${seed}: ${withoutMarks(marked)}`)
          count(setting, judged)
          if (judged.leak === null) continue
          const isShrunk = leaks.length < (options.shrunk ?? 20)
          const sql = isShrunk
            ? await shrink(marked, async one => (await worlds.judge(one)).leak !== null)
            : withoutMarks(marked)
          leaks.push({ setting, seed, sql, why: judged.leak.why })
        }
      }
      await Promise.all(Array.from({ length: server.atOnce }, work))
    } catch (error) {
      // A server that is gone cannot be tidied.
      await worlds.close().catch(() => {})
      throw error
    }
    await worlds.close()
  }
  return { counts, leaks, reasons }
}
