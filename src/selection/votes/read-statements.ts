import type { AnswerFeedback, StoredFeedback } from '../../core/feedback.ts'
import type { MeasuredGroup } from '../../core/selector.ts'
import { noiseRates, unrelatedReasons } from './slips.ts'

/**
 * What a person says of the results of one question, by the keys of groups: the shown one is right, or wrong; this one
 * of all is right, which may be one that nobody drafted; this one is better than that one.
 */
export type FeedbackClaim =
  | { readonly kind: 'right'; readonly key: string }
  | { readonly kind: 'wrong'; readonly key: string }
  | { readonly kind: 'named'; readonly key: string }
  | { readonly kind: 'better'; readonly key: string; readonly than: string }

/** What one person holds of one answer, all that they did about it taken together. */
export interface FeedbackSignal {
  readonly questionId: string
  readonly database: string
  readonly person: string
  readonly claim: FeedbackClaim
  /** How probable it is that the claim is a slip. */
  readonly slip: number
  /** 1, or less where a cap holds it down. */
  readonly weight: number
  /** When the deed that counted was done. */
  readonly givenAt: Date
  /** Two or more. */
  readonly groups: readonly MeasuredGroup[]
}

/**
 * One statement a person, or none where nothing that they did tells results apart. Only the strongest deed counts, the
 * last of equals: naming the right result or verifying the shown one, then a thumb up, an edit, a thumb down, an export.
 */
export const toFeedbackSignals = (feedback: AnswerFeedback): readonly FeedbackSignal[] => {
  const { questionId, database, snapshot, votes, kept } = feedback
  const { groups } = snapshot
  if (groups.length < 2) return []
  return [...new Set([...votes, ...kept].map(({ person }) => person))].flatMap(person => {
    const held = strongest(feedback, person)
    return held === null ? [] : [{ questionId, database, person, ...held, weight: 1, groups }]
  })
}

type DatedSignal = Pick<FeedbackSignal, 'claim' | 'slip' | 'givenAt'>

const strongest = ({ snapshot, votes, kept }: AnswerFeedback, person: string): DatedSignal | null => {
  const { groups } = snapshot
  const isKnown = (wanted: string): boolean => groups.some(({ key }) => key === wanted)
  const last = (...kinds: readonly StoredFeedback['kind'][]): StoredFeedback | undefined =>
    kept
      .filter(one => one.person === person && kinds.includes(one.kind))
      .sort((a, b) => a.givenAt.getTime() - b.givenAt.getTime())
      .at(-1)

  const named = last('sql', 'alternative', 'verification')
  if (named?.kind === 'verification' && isKnown(named.groupKey)) return right(named.groupKey, named)
  if (named?.kind === 'sql' || named?.kind === 'alternative')
    return {
      claim: { kind: 'named', key: named.groupKey },
      slip: noiseRates[named.kind],
      givenAt: named.givenAt,
    }

  const vote = votes.find(vote => vote.person === person)
  const shown = vote && groups.find(({ candidateIds }) => candidateIds.includes(vote.candidateId))?.key
  if (shown !== undefined && vote?.vote === 'up')
    return { claim: { kind: 'right', key: shown }, slip: noiseRates.up, givenAt: vote.votedAt }

  const edit = last('edit')
  if (edit && edit.groupKey !== edit.answerKey && isKnown(edit.groupKey) && isKnown(edit.answerKey))
    return {
      claim: { kind: 'better', key: edit.groupKey, than: edit.answerKey },
      slip: noiseRates.edit,
      givenAt: edit.givenAt,
    }

  if (shown !== undefined && vote?.vote === 'down') {
    const { reason } = last('reason') ?? {}
    if (reason && unrelatedReasons.has(reason)) return null
    return { claim: { kind: 'wrong', key: shown }, slip: noiseRates.down, givenAt: vote.votedAt }
  }
  const exported = last('export')
  return exported && isKnown(exported.groupKey) ? right(exported.groupKey, exported) : null
}

const right = (key: string, { kind, givenAt }: StoredFeedback): DatedSignal => ({
  claim: { kind: 'right', key },
  slip: kind === 'verification' ? noiseRates.verification : noiseRates.export,
  givenAt,
})
