import type { ProbeMembers } from '../../graphs/answer/comparison/compare-pair.ts'
import { makeRunProbe } from '../../graphs/answer/nodes/compare-groups.ts'
import type { OpenDatabase } from '../../src/databases/open-database.ts'
import type { Database } from '../../src/domain/database.ts'
import { probePair } from '../../src/ranking/probes/probe-pair.ts'
import type { ReadVotes } from '../../training/drafting-stop/read-votes.ts'
import { openEvaluated } from '../open-evaluated.ts'

/** The bot's usual caps. */
const limits = { timeoutMs: 30_000, maxRows: 10_000, maxBytes: 10_000_000 }

/**
 * Opens the databases of a bench and makes, for each question, what tells two of its groups apart without a judge. A pair
 * is looked at once, however many judges are tried.
 */
export const openProbes = (databases: string) => {
  const open = new Map<string, Promise<OpenDatabase>>()
  const openByName = (name: string): Promise<OpenDatabase> => {
    const opened = open.get(name) ?? openEvaluated(databases, name, limits)
    open.set(name, opened)
    return opened
  }
  const resultOf = async (sql: string, { guard, run }: Database) => {
    const verdict = guard(sql)
    return verdict.verdict === 'refuse' ? null : run(verdict.guarded).catch(() => null)
  }

  const probesOf = ({ database: name, question, statements }: ReadVotes): ProbeMembers => {
    const known = new Map<string, ReturnType<ProbeMembers>>()
    const look: ProbeMembers = async (first, second) => {
      const { database } = await openByName(name)
      const sql = [first, second].map(({ representative }) => statements.get(representative.id) ?? '')
      const [one, other] = await Promise.all(sql.map(text => resultOf(text, database)))
      if (!one || !other) return null
      const found = await probePair({
        ...{ question, catalog: database.catalog },
        first: { sql: sql[0]!, result: one },
        second: { sql: sql[1]!, result: other },
        run: makeRunProbe(database, {}),
      })
      return found && { winner: found.winner === 'first' ? first : second, reason: found.reason }
    }
    return async (first, second) => {
      const pair = JSON.stringify([first.representative.id, second.representative.id])
      const looked = known.get(pair) ?? look(first, second)
      known.set(pair, looked)
      return looked
    }
  }
  const close = async (): Promise<void> => {
    for (const opened of open.values()) await (await opened).close()
  }
  return { probesOf, close }
}
