import type { CandidateObservation } from '../../domain/candidate.ts'
import type { CandidateVote, IndependentEvidence } from '../../domain/selection/ranking.ts'

type Run = NonNullable<CandidateVote['run']>

/** A vote whose candidate ran, with its place among those of its lineage, from 0. */
interface RankedVote extends CandidateVote {
  readonly run: Run
  readonly rank: number
}

/** One execution group while it is measured. */
export interface GatheredGroup {
  readonly key: string
  readonly members: readonly RankedVote[]
  /** Of the members that have one. */
  readonly observations: readonly CandidateObservation[]
}

/** One lineage's part in the vote. */
interface Lineage {
  readonly candidateVotes: number
  /**
   * True for a ranked list: no statement comes twice. Samples repeat themselves, and their order says little; the
   * order of a beam is its model's own ranking.
   */
  readonly isBeam: boolean
}

/** All groups of a question, and what they are measured against. */
export interface Gathering {
  readonly candidateVotes: number
  readonly lineages: ReadonlyMap<string, Lineage>
  readonly groups: readonly GatheredGroup[]
  readonly parserEvidence: readonly IndependentEvidence[]
  /** By the id of a candidate, from 0 to 1; empty where nothing near is verified. */
  readonly verifiedLikeness: ReadonlyMap<string, number>
}

/** So few candidates of a lineage are no list yet. */
const SHORTEST_BEAM = 3

/** Groups votes with equal results. */
export const gatherGroups = (
  candidateVotes: readonly CandidateVote[],
  parserEvidence: readonly IndependentEvidence[],
  verifiedLikeness: ReadonlyMap<string, number> = new Map(),
): Gathering => {
  const places = new Map<string, number>()
  const ranked = candidateVotes.map(candidateVote => {
    const rank = places.get(candidateVote.lineage) ?? 0
    places.set(candidateVote.lineage, rank + 1)
    return { ...candidateVote, rank }
  })
  const ran = ranked.filter((candidateVote): candidateVote is RankedVote => candidateVote.run !== null)
  return {
    candidateVotes: candidateVotes.length,
    lineages: new Map(
      [...Map.groupBy(candidateVotes, ({ lineage }) => lineage)].map(([lineage, own]) => [
        lineage,
        toLineage(own),
      ]),
    ),
    groups: [...Map.groupBy(ran, ({ run }) => run.groupKey)].map(([key, members]) => ({
      key,
      members,
      observations: members.flatMap(({ run }) => run.evidence.observation ?? []),
    })),
    parserEvidence,
    verifiedLikeness,
  }
}

const toLineage = (own: readonly CandidateVote[]): Lineage => {
  const statements = own.flatMap(({ run }) => run?.evidence.observation ?? []).map(asText)
  return {
    candidateVotes: own.length,
    isBeam:
      own.length >= SHORTEST_BEAM && statements.length > 0 && new Set(statements).size === statements.length,
  }
}

const asText = ({ parts }: CandidateObservation): string => Object.values(parts).flat().join()

/** One thing that is measured of an execution group beside the others of its question. */
export interface GroupMeasure {
  /** How it is named in models and reports; never changed, because trained files name it. */
  readonly name: string
  /** What a higher value says, for a person. */
  readonly reason: string
  readonly measure: (group: GatheredGroup, gathering: Gathering) => number
}

/** The arithmetic mean; 0 of nothing. */
export const meanOf = (numbers: readonly number[]): number =>
  numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length
