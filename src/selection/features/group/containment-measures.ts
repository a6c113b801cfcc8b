import type { GatheredGroup, Gathering } from './gather-groups.ts'
import type { GroupMeasure } from './group-measure.ts'
import { shareOf } from './vote-measures.ts'

type Part = 'columns' | 'rows'

/** Everything of `less` is in `more`, and `more` has something besides. */
const contains = (more: readonly string[], less: readonly string[]): boolean => {
  const all = new Set(more)
  return less.length > 0 && less.length < more.length && less.every(one => all.has(one))
}

/** The votes of the other groups that stand in this relation. */
const votesOf = (
  group: GatheredGroup,
  gathering: Gathering,
  stands: (own: readonly string[], theirs: readonly string[]) => boolean,
  part: Part,
): number => {
  const own = group.observations[0]?.sketch[part]
  if (own === undefined) return 0
  return gathering.groups.reduce((sum, other) => {
    const theirs = other.observations[0]?.sketch[part]
    return other === group || theirs === undefined || !stands(own, theirs)
      ? sum
      : sum + shareOf(other, gathering)
  }, 0)
}

const measure =
  (part: Part, stands: (own: readonly string[], theirs: readonly string[]) => boolean) =>
  (group: GatheredGroup, gathering: Gathering): number =>
    votesOf(group, gathering, stands, part)

/**
 * Results that hold others: of two that are equal but for a column more, the one without it is nearly always the right
 * one. Sketches are samples of long results, so rows are compared where both are short.
 */
export const containmentMeasures: readonly GroupMeasure[] = [
  {
    name: 'holds-columns',
    reason: 'it is another result with columns added',
    measure: measure('columns', (own, theirs) => contains(own, theirs)),
  },
  {
    name: 'held-columns',
    reason: 'another result is this one with columns added',
    measure: measure('columns', (own, theirs) => contains(theirs, own)),
  },
  {
    name: 'holds-rows',
    reason: 'it is another result with rows added',
    measure: measure('rows', (own, theirs) => isWhole(own) && isWhole(theirs) && contains(own, theirs)),
  },
  {
    name: 'held-rows',
    reason: 'another result is this one with rows added',
    measure: measure('rows', (own, theirs) => isWhole(own) && isWhole(theirs) && contains(theirs, own)),
  },
]

/** A sketch of so many hashes may be a sample. */
const SAMPLED = 32

const isWhole = (hashes: readonly string[]): boolean => hashes.length < SAMPLED
