import type { AnswerFeedback, FeedbackReason, StoredFeedback } from '../../domain/feedback.ts'
import type { MeasuredGroup } from '../../domain/selection/ranking.ts'

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
  readonly groups: readonly MeasuredGroup[]
}

/** What people hold of an answer; none where there is one result, and nothing that they did tells results apart. */
export const toFeedbackSignals = (feedback: AnswerFeedback): readonly FeedbackSignal[] =>
  feedback.snapshot.groups.length < 2 ? [] : allFeedbackSignals(feedback)

/**
 * One statement a person, also where there is one result. Only the strongest signal counts, the last of equals: naming the
 * right result or verifying the shown one, then a thumb up, an edit, a thumb down, an export.
 */
export const allFeedbackSignals = (feedback: SignaledFeedback): readonly FeedbackSignal[] => {
  const { questionId, database, snapshot, votes, feedback: kept } = feedback
  const { groups } = snapshot
  return [...new Set([...votes, ...kept].map(({ person }) => person))].flatMap(person => {
    const held = strongest(feedback, person)
    return held === null ? [] : [{ questionId, database, person, ...held, weight: 1, groups }]
  })
}

/** What signals are read off. */
export type SignaledFeedback = Pick<
  AnswerFeedback,
  'questionId' | 'database' | 'snapshot' | 'votes' | 'feedback'
>

type DatedSignal = Pick<FeedbackSignal, 'claim' | 'slip' | 'givenAt'>

const strongest = (
  { snapshot, votes, feedback: kept }: SignaledFeedback,
  person: string,
): DatedSignal | null => {
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

/**
 * The most that one person's statements may weigh together. With a pull of `pull` towards the prior, a person of weight W
 * moves the weights by at most W g / pull, where g is the largest distance between two groups of their statements: the
 * fit is strongly convex. A regular voter makes 20 statements in a month or two.
 */
export const MOST_WEIGHT_PER_PERSON = 20

/** The most that all statements on one answer may weigh: thirty thumbs on one popular answer are still one question. */
export const MOST_WEIGHT_PER_QUESTION = 3

/** Holds questions and then voters to their caps, scaling all that they said alike. In the same order. */
export const capWeights = (statements: readonly FeedbackSignal[]): readonly FeedbackSignal[] =>
  capTo(
    capTo(statements, ({ questionId }) => questionId, MOST_WEIGHT_PER_QUESTION),
    ({ person }) => person,
    MOST_WEIGHT_PER_PERSON,
  )

const capTo = (
  statements: readonly FeedbackSignal[],
  keyOf: (statement: FeedbackSignal) => string,
  most: number,
): readonly FeedbackSignal[] => {
  const totals = new Map<string, number>()
  for (const statement of statements)
    totals.set(keyOf(statement), (totals.get(keyOf(statement)) ?? 0) + statement.weight)
  return statements.map(statement => ({
    ...statement,
    weight: statement.weight * Math.min(1, most / totals.get(keyOf(statement))!),
  }))
}

/**
 * Of each person the latest statements, as many as may weigh fully: for training data without weights, where whoever
 * says most would otherwise decide. In the same order.
 */
export const latestPerPerson = (statements: readonly FeedbackSignal[]): readonly FeedbackSignal[] => {
  const latest = new Set(
    [...Map.groupBy(statements, ({ person }) => person).values()].flatMap(own =>
      own.toSorted((a, b) => b.givenAt.getTime() - a.givenAt.getTime()).slice(0, MOST_WEIGHT_PER_PERSON),
    ),
  )
  return statements.filter(statement => latest.has(statement))
}

/** Statements, of each person no more than a voter may weigh: so one person alone never makes a large number. */
export const countCappedVotes = (statements: readonly Pick<FeedbackSignal, 'person'>[]): number =>
  [...Map.groupBy(statements, ({ person }) => person).values()].reduce(
    (sum, own) => sum + Math.min(own.length, MOST_WEIGHT_PER_PERSON),
    0,
  )

/** Keys of the groups that a statement puts above others, and of those. */
interface SignalSides {
  readonly right: readonly string[]
  readonly wrong: readonly string[]
}

/** What a statement says, as two sides. The right one may be a result that nobody drafted. */
export const sidesOf = ({ claim, groups }: Pick<FeedbackSignal, 'claim' | 'groups'>): SignalSides => {
  const others = groups.flatMap(({ key }) => (key === claim.key ? [] : [key]))
  switch (claim.kind) {
    case 'right':
    case 'named':
      return { right: [claim.key], wrong: others }
    case 'wrong':
      return { right: others, wrong: [claim.key] }
    case 'better':
      return { right: [claim.key], wrong: [claim.than] }
    default: {
      const never: never = claim
      return never
    }
  }
}

/**
 * How often what a person did is a slip: they judged in haste, misread the table, or meant something else by it. One in
 * five for whatever costs one click; less for what takes effort and is looked at twice; an export says little at all,
 * because wrong rows are exported too, to be looked into.
 */
const noiseRates = {
  up: 0.2,
  down: 0.2,
  alternative: 0.2,
  sql: 0.1,
  edit: 0.3,
  export: 0.4,
  verification: 0.05,
} as const

/**
 * A thumb down that comes with one of these is about a result that may well be the right one: nothing is learned from
 * it.
 */
const unrelatedReasons: ReadonlySet<FeedbackReason> = new Set(['format', 'stale-data'])
