import { leakOf, openWorlds, outcomeIn, readStatementFile, type TrickServer } from './run-tricks.ts'
import { shadowTricks } from './trick-shadows.ts'
import { generatedTricks } from './trick-variants.ts'

/** What the tricks and the harmless statements of one server came to. */
export interface TrickReport {
  readonly tricks: number
  /** Tricks that gave something away, each with what it gave. */
  readonly leaks: readonly string[]
  readonly harmless: number
  /** Harmless statements that were refused or failed, each with the reason. */
  readonly refused: readonly string[]
  /** Tricks that were let through: they read nothing that is hidden. */
  readonly allowed: readonly string[]
  /** Of all statements that were let through, those of which the server itself told what they read. */
  readonly resolved: number
}

/** What no statement may read at all. Masked columns may be counted and joined, so a server sees them read. */
const isHidden = (read: string): boolean =>
  /^(?:more\.)?(?:salaries|bonuses|pay|customer_contacts|mails)(?:\.|$)|\.(?:email|mail_copy|mail_size|bank|secret)$/.test(
    read,
  )

/** All tricks of a server: those of its file, and those made of its names and places. */
export const tricksOf = (server: string): readonly string[] => [
  ...new Set([...readStatementFile(server), ...generatedTricks(server), ...shadowTricks(server)]),
]

/** Runs all tricks and all harmless statements of a server against a database of its own. */
export const judgeTricks = async (server: TrickServer): Promise<TrickReport> => {
  await using worlds = await openWorlds(server)
  const leaks: string[] = []
  const allowed: string[] = []
  const tricks = tricksOf(server.name)
  for (const sql of tricks) {
    const leak = await leakOf(worlds, sql)
    if (leak !== null) leaks.push(`${sql} -- ${leak}`)
    if (worlds.database.first.guard(sql).verdict === 'allow') allowed.push(sql)
  }
  const refused: string[] = []
  const harmless = readStatementFile(`${server.name}-harmless`)
  for (const sql of harmless) {
    const { kind, seen } = await outcomeIn(worlds, 'first', sql)
    if (kind !== 'rows') refused.push(`${sql} -- ${seen}`)
  }
  let resolved = 0
  for (const sql of [...allowed, ...harmless]) {
    const reads = await server.readsOf?.(worlds.address.first, sql)
    if (reads === null || reads === undefined) continue
    resolved += 1
    const hidden = reads.find(isHidden)
    if (hidden !== undefined) leaks.push(`${sql} -- reads ${hidden}, as the server says`)
  }
  return { resolved, tricks: tricks.length, leaks, harmless: harmless.length, refused, allowed }
}
