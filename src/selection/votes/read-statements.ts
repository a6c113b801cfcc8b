import type { AnswerFeedback, KeptFeedback } from '../../core/feedback.ts'
import type { MeasuredGroup } from '../../core/selector.ts'
import { reasonsAboutSomethingElse, statementWeights } from './statement-weights.ts'

/** What one person holds of one answer, all that they did about it taken together. Keys are of groups. */
export interface Statement {
  readonly questionId: string
  readonly database: string
  readonly person: string
  /** May hold a result that no candidate had. */
  readonly right: readonly string[]
  readonly wrong: readonly string[]
  readonly weight: number
  /** When the deed that counted was done. */
  readonly givenAt: Date
  readonly groups: readonly MeasuredGroup[]
}

/**
 * One statement a person, or none where nothing that they did tells results apart. Only the strongest deed counts, the
 * last of equals: naming the right result, then a verification, a thumb up, an edit, a thumb down, an export.
 */
export const readStatements = (feedback: AnswerFeedback): readonly Statement[] =>
  [...new Set([...feedback.votes, ...feedback.kept].map(({ person }) => person))].flatMap(person => {
    const statement = readPerson(feedback, person)
    return statement === null ? [] : [statement]
  })

type Held = Pick<Statement, 'right' | 'wrong' | 'weight' | 'givenAt'>

const readPerson = (feedback: AnswerFeedback, person: string): Statement | null => {
  const { questionId, database, snapshot } = feedback
  const held = strongest(feedback, person)
  return held === null || held.wrong.length === 0 || held.right.length === 0
    ? null
    : { questionId, database, person, ...held, groups: snapshot.groups }
}

const strongest = ({ snapshot, votes, kept }: AnswerFeedback, person: string): Held | null => {
  const own = kept.filter(one => one.person === person)
  const last = (kinds: readonly KeptFeedback['kind'][]): KeptFeedback | undefined =>
    own
      .filter(({ kind }) => kinds.includes(kind))
      .sort((a, b) => a.givenAt.getTime() - b.givenAt.getTime())
      .at(-1)
  const keys = snapshot.groups.map(({ key }) => key)
  const allBut = (key: string): readonly string[] => keys.filter(other => other !== key)
  const above = (key: string, weight: number, givenAt: Date): Held => ({
    right: [key],
    wrong: allBut(key),
    weight,
    givenAt,
  })

  const named = last(['sql', 'alternative', 'verification'])
  if (named && named.kind !== 'reason')
    return above(named.groupKey, statementWeights[named.kind], named.givenAt)

  const vote = votes.find(vote => vote.person === person)
  const voted = vote && snapshot.groups.find(({ candidateIds }) => candidateIds.includes(vote.candidateId))
  if (vote?.vote === 'up' && voted) return above(voted.key, statementWeights.up, vote.votedAt)

  const edit = last(['edit'])
  if (edit && edit.groupKey !== edit.answerKey)
    return {
      right: [edit.groupKey],
      wrong: [edit.answerKey],
      weight: statementWeights.edit,
      givenAt: edit.givenAt,
    }

  if (vote?.vote === 'down' && voted) {
    const { reason } = last(['reason']) ?? {}
    if (reason && reasonsAboutSomethingElse.has(reason)) return null
    return {
      right: allBut(voted.key),
      wrong: [voted.key],
      weight: statementWeights.down,
      givenAt: vote.votedAt,
    }
  }
  const exported = last(['export'])
  return exported ? above(exported.groupKey, statementWeights.export, exported.givenAt) : null
}
