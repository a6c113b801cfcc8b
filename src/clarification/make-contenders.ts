import type { Candidate } from '../core/candidate.ts'
import type { Catalog } from '../core/catalog.ts'
import type { ExecutionGroup } from '../core/execution-group.ts'
import { outlineSql } from '../sql/outline/outline-sql.ts'
import type { Contender } from './decision-variables.ts'
import { type QueryPart, queryParts } from './query-parts.ts'

/** A group that may be asked about, with the member whose SQL is told of. */
export interface KnownContender extends Contender {
  readonly candidate: Candidate
}

/** Statements of one group that are looked through for the one that is most like the leader's. */
const MOST_READ = 8

/**
 * Reads the leading groups. A group's results are equal, so any of its members may speak for it: the one whose query
 * is most like the leader's, so that what is told is what makes the difference. Null when the leader is unknown.
 */
export const makeContenders = (
  leading: readonly ExecutionGroup[],
  { candidates, catalog }: { readonly candidates: readonly Candidate[]; readonly catalog: Catalog },
): readonly KnownContender[] | null => {
  const byId = new Map(candidates.map(candidate => [candidate.id, candidate]))
  const tablesWith = makeTablesWith(catalog)
  const read = (candidate: Candidate): readonly QueryPart[] | null => {
    const outline = outlineSql(candidate.sql, catalog.dialect, tablesWith)
    return outline === null ? null : queryParts(outline)
  }
  const representatives = leading.map(group => byId.get(group.representativeId))
  const [leader] = representatives
  if (leader === undefined) return null
  const own = read(leader)
  return leading.flatMap((group, at): readonly KnownContender[] => {
    const representative = representatives[at]
    if (representative === undefined) return []
    const members = group.candidateIds.flatMap(id => byId.get(id) ?? [])
    const decisions = members.find(member => member.decisions.length > 0)?.decisions ?? []
    if (at === 0 || own === null)
      return [{ candidate: representative, parts: read(representative), decisions }]
    const nearest = distinctTexts([representative, ...members])
      .slice(0, MOST_READ)
      .flatMap(candidate => {
        const parts = read(candidate)
        return parts === null ? [] : [{ candidate, parts, away: distance(own, parts) }]
      })
      .sort((a, b) => a.away - b.away)[0]
    return [
      nearest === undefined
        ? { candidate: representative, parts: null, decisions }
        : { candidate: nearest.candidate, parts: nearest.parts, decisions },
    ]
  })
}

const makeTablesWith = (catalog: Catalog): ((column: string) => readonly string[]) => {
  const tables = new Map<string, string[]>()
  for (const table of catalog.tables)
    for (const { name } of table.columns) {
      const key = name.toLowerCase()
      tables.set(key, [...(tables.get(key) ?? []), table.name.toLowerCase()])
    }
  return column => tables.get(column) ?? []
}

const distinctTexts = (candidates: readonly Candidate[]): readonly Candidate[] => [
  ...new Map(candidates.map(candidate => [candidate.sql, candidate])).values(),
]

/** Parts that only one of two queries has. */
const distance = (a: readonly QueryPart[], b: readonly QueryPart[]): number => {
  const keys = (parts: readonly QueryPart[]): Set<string> =>
    new Set(parts.map(({ slot, key }) => `${slot} ${key}`))
  const [mine, theirs] = [keys(a), keys(b)]
  const onlyMine = [...mine].filter(key => !theirs.has(key)).length
  return onlyMine + [...theirs].filter(key => !mine.has(key)).length
}
