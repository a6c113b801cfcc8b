import type { Candidate, ExecutionGroup } from '../domain/candidate.ts'
import type { Catalog } from '../domain/catalog.ts'
import type { Decision } from '../domain/interpretation.ts'
import { comparableQuery, type TablesWith } from '../sql/rewrite/comparable-query.ts'
import { type QueryPart, queryParts, type Slot, slots } from './query-parts.ts'

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
    const query = comparableQuery(candidate.sql, catalog.dialect, tablesWith)
    return query === null ? null : queryParts(query)
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

const makeTablesWith = (catalog: Catalog): TablesWith => {
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

/** What is known of one of the groups that may be asked about. */
export interface Contender {
  /** Of the SQL that stands for it; null where that cannot be read. */
  readonly parts: readonly QueryPart[] | null
  /** The semantic parser's, where one of its readings is in the group. */
  readonly decisions: readonly Decision[]
}

/** Something that the contenders decide differently. */
export interface DecisionVariable {
  readonly about:
    | { readonly kind: 'phrase'; readonly phrase: string; readonly decisionKind: Decision['kind'] }
    | { readonly kind: 'slot'; readonly slot: Slot }
    | { readonly kind: 'whole' }
  /** Places of the contenders by what they decide: the partition that it induces, in the order of the contenders. */
  readonly blocks: readonly (readonly number[])[]
}

/**
 * The variables on which contenders differ: each phrase that the parser's readings take differently, where all of them
 * are readings; each kind of part of their queries; and the whole, which tells every contender from every other.
 */
export const decisionVariables = (contenders: readonly Contender[]): readonly DecisionVariable[] => {
  if (contenders.length < 2) return []
  const whole: DecisionVariable = {
    about: { kind: 'whole' },
    blocks: contenders.map((_, at) => [at]),
  }
  return [...phraseVariables(contenders), ...slotVariables(contenders), whole]
}

const phraseVariables = (contenders: readonly Contender[]): readonly DecisionVariable[] => {
  const [leader] = contenders
  return (leader?.decisions ?? []).flatMap(({ phrase, kind }) => {
    const choices = contenders.map(
      ({ decisions }) => decisions.find(one => one.phrase === phrase && one.kind === kind)?.choice ?? null,
    )
    if (choices.includes(null)) return []
    const blocks = partition(choices as readonly string[])
    return blocks.length < 2
      ? []
      : [{ about: { kind: 'phrase' as const, phrase, decisionKind: kind }, blocks }]
  })
}

const slotVariables = (contenders: readonly Contender[]): readonly DecisionVariable[] => {
  const parts = contenders.map(contender => contender.parts)
  if (parts.includes(null)) return []
  // Whether a row is shown once or as often as it occurs is a matter of taste, about which nobody is asked.
  const telling = slots.filter(slot => slot !== 'distinct')
  return telling.flatMap(slot => {
    const blocks = partition(parts.map(own => slotKey(own ?? [], slot)))
    return blocks.length < 2 ? [] : [{ about: { kind: 'slot' as const, slot }, blocks }]
  })
}

const slotKey = (parts: readonly QueryPart[], slot: Slot): string =>
  parts
    .filter(part => part.slot === slot)
    .map(({ key }) => key)
    .sort()
    .join('\n')

/** Places of equal choices together, blocks in the order of their first places. */
export const partition = (choices: readonly string[]): readonly (readonly number[])[] => [
  ...Map.groupBy(choices.keys(), at => choices[at] ?? '').values(),
]
