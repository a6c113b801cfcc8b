import { createHash } from 'node:crypto'
import type { Candidate, ExecutionGroup } from '../../../src/domain/candidate.ts'
import type {
  ExpertAnswer,
  ExpertAnswers,
  ExpertRound,
  ExpertVote,
  ExpertVoteKind,
  ExpertVoting,
} from '../../../src/domain/selection/experts.ts'
import { makeRandom } from '../../../src/lib/random.ts'
import type { Expert } from './experts.ts'

/** A statement of an expert: of the first round, or of the second, on the linked schema. */
export interface ExpertStatement {
  readonly expert: string
  readonly round: 'first' | 'second'
  readonly candidateId: string
}

/**
 * What each expert says: the result of its last statement that ran. The others of its statements have no vote, so that
 * every expert has one.
 */
export const answersOf = (
  experts: readonly Expert[],
  statements: readonly ExpertStatement[],
  candidates: readonly Candidate[],
): ExpertAnswers => {
  const byId = new Map(candidates.map(candidate => [candidate.id, candidate]))
  return new Map(
    experts.map(({ name }) => {
      const own = statements.filter(({ expert }) => expert === name)
      const ran = own.flatMap(({ candidateId }): ExpertAnswer[] => {
        const run = byId.get(candidateId)?.run
        return run?.status === 'ran' ? [{ key: run.groupKey, candidateId }] : []
      })
      return [name, ran.at(-1) ?? { key: null, candidateId: null }]
    }),
  )
}

/**
 * The results of a vote as groups, the chosen one first, then by the weight behind them. A group is shown in the order of
 * columns that suits the question, or as the expert wrote it that was drawn.
 */
export const groupsOfVote = (
  { key: chosen, candidateId, shares, drawn }: ExpertVote,
  answers: ExpertAnswers,
  given: {
    readonly candidates: readonly Candidate[]
    readonly chooseMember: ExpertVoting['chooseMember']
    readonly confidence: number
  },
): readonly ExecutionGroup[] => {
  const groups = [...shares].map(([key, share]): ExecutionGroup => {
    const said = new Set(
      [...answers.values()].flatMap(answer => (answer.key === key ? answer.candidateId : [])),
    )
    const members = given.candidates.flatMap(({ id, run }) =>
      said.has(id) && run?.status === 'ran'
        ? [{ id, columnsKey: run.columnsKey, columnOrder: run.evidence.observation?.columnOrder ?? null }]
        : [],
    )
    const isDrawn = drawn !== null && key === chosen
    const reason = { members: members.length, of: answers.size, share, drawn: isDrawn ? drawn : null }
    return {
      key,
      candidateIds: members.map(({ id }) => id),
      representativeId: isDrawn ? candidateId : (members[given.chooseMember(members)]?.id ?? candidateId),
      score: Math.min(given.confidence, share),
      reasons: [reasonOf(reason)],
    }
  })
  return groups.toSorted((a, b) => Number(b.key === chosen) - Number(a.key === chosen) || b.score - a.score)
}

const reasonOf = (given: {
  readonly members: number
  readonly of: number
  readonly share: number
  readonly drawn: string | null
}): string => {
  const weight = `${given.members} of ${given.of} experts, ${Math.round(given.share * 100)}% of the weight`
  return given.drawn === null ? weight : `${weight}; ${given.drawn} was drawn`
}

/** The round as it is kept until people say what is right. */
export const roundOf = (questionId: string, answers: ExpertAnswers): ExpertRound => ({
  questionId,
  groups: [...Map.groupBy([...answers.values()], ({ key }) => key)].flatMap(([key, members]) =>
    key === null ? [] : [{ key, candidateIds: members.flatMap(({ candidateId }) => candidateId ?? []) }],
  ),
  answers: [...answers].map(([expert, { key }]) => ({ expert, key })),
})

/** A number from 0 to 1 for the draw of one question: the same each time it is made. */
export const drawFor = (questionId: string, attempt: number, vote: ExpertVoteKind): number => {
  if (vote !== 'rwma') return 0
  const seed = createHash('sha256').update(`${questionId}/${attempt}`).digest().readUInt32LE(0)
  return makeRandom(seed)()
}
