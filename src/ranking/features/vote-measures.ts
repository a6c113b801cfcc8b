import type { GatheredGroup, Gathering, GroupMeasure } from './gather-groups.ts'

export const shareOf = ({ members }: GatheredGroup, { candidateVotes }: Gathering): number =>
  members.length / candidateVotes

const lineagesOf = ({ members }: GatheredGroup): ReadonlySet<string> =>
  new Set(members.map(({ lineage }) => lineage))

const lineageShare = (group: GatheredGroup, { lineages }: Gathering): number =>
  lineagesOf(group).size / lineages.size

const bestOther = (group: GatheredGroup, gathering: Gathering): number =>
  Math.max(0, ...gathering.groups.filter(one => one !== group).map(one => shareOf(one, gathering)))

/** Lineages whose first candidate is here, as a share of all. */
const firstShare = ({ members }: GatheredGroup, { lineages }: Gathering): number =>
  members.filter(({ rank }) => rank === 0).length / lineages.size

const bestRank = ({ members }: GatheredGroup): number => Math.min(...members.map(({ rank }) => rank))

/** The best place in a lineage, from 0 for the first to 1 for the last. */
const relativeRank = (group: GatheredGroup, { lineages }: Gathering): number => {
  const longest = Math.max(...[...lineages.values()].map(({ candidateVotes }) => candidateVotes))
  return longest < 2 ? 0 : bestRank(group) / (longest - 1)
}

const isOfBeams = ({ members }: GatheredGroup, { lineages }: Gathering): boolean =>
  members.every(({ lineage }) => lineages.get(lineage)?.isBeam === true)

/** A place in a beam weighs as in reciprocal rank; samples weigh the same. */
const weightOf = (member: GatheredGroup['members'][number], { lineages }: Gathering): number =>
  lineages.get(member.lineage)?.isBeam === true ? 1 / (1 + member.rank) : 1

const weighted = (group: GatheredGroup, gathering: Gathering): number =>
  group.members.reduce((sum, member) => sum + weightOf(member, gathering), 0)

/** Who agrees. Candidates of one lineage are correlated, so lineages count beside candidates. */
export const voteMeasures: readonly GroupMeasure[] = [
  { name: 'vote-share', reason: 'more candidates agree on it', measure: shareOf },
  {
    name: 'vote-log-share',
    reason: 'more candidates agree on it',
    measure: (group, gathering) => Math.log(shareOf(group, gathering)),
  },
  { name: 'vote-lineages', reason: 'more independent paths led to it', measure: lineageShare },
  {
    name: 'vote-log-lineages',
    reason: 'more independent paths led to it',
    measure: (group, gathering) => Math.log(lineageShare(group, gathering)),
  },
  {
    name: 'vote-weighted',
    reason: 'it is higher in ranked lists',
    measure: (group, gathering) =>
      weighted(group, gathering) / gathering.groups.reduce((sum, one) => sum + weighted(one, gathering), 0),
  },
  {
    name: 'vote-leads',
    reason: 'most candidates agree on it',
    measure: (group, gathering) => Number(shareOf(group, gathering) >= bestOther(group, gathering)),
  },
  {
    name: 'vote-margin',
    reason: 'it is well ahead in the vote',
    measure: (group, gathering) => shareOf(group, gathering) - bestOther(group, gathering),
  },
  { name: 'rank-first', reason: 'more paths put it first', measure: firstShare },
  { name: 'rank-best', reason: 'it came late', measure: relativeRank },
  {
    name: 'rank-first-beam',
    reason: 'ranked lists put it first',
    measure: (group, gathering) => (isOfBeams(group, gathering) ? firstShare(group, gathering) : 0),
  },
  {
    name: 'rank-best-beam',
    reason: 'ranked lists put it late',
    measure: (group, gathering) => (isOfBeams(group, gathering) ? relativeRank(group, gathering) : 0),
  },
  {
    // In a beam the vote says nearly nothing, so what the share says elsewhere must be taken back there.
    name: 'vote-log-share-beam',
    reason: 'more candidates of ranked lists agree on it',
    measure: (group, gathering) => (isOfBeams(group, gathering) ? Math.log(shareOf(group, gathering)) : 0),
  },
  {
    name: 'rank-very-first',
    reason: 'it was the first of all',
    measure: (group, { groups }) => Number(group === groups[0] && group.members[0]?.rank === 0),
  },
]

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

/** A sketch of so many hashes may be a sample. */
const SAMPLED = 32

const isWhole = (hashes: readonly string[]): boolean => hashes.length < SAMPLED

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
