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
