import type { ExecutionGroup } from '../domain/candidate.ts'
import type { PoolLabel, PoolQuestion } from './execute-pools.ts'
import type { LabeledSelection } from './score-selection.ts'

/** A question back, made from the candidates alone. */
export interface PoolClarification {
  /** What asking is expected to add to the probability of a right answer. */
  readonly value: number
  /** Whether the bot would ask it. */
  readonly isAskable: boolean
  /** The likeliest first. `answerId` is the candidate that choosing it answers with. */
  readonly options: readonly { readonly candidateIds: readonly string[]; readonly answerId: string }[]
}

/** The best question to ask about a pool's question, of which the results are ranked; null if there is none. */
export type FindPoolClarification = (
  question: PoolQuestion,
  groups: readonly ExecutionGroup[],
) => PoolClarification | null

/** What asking came to at one operating point. Shares are of all questions, from 0 to 1. */
export interface AskingScore {
  readonly asked: number
  /** Asked although the answer was right, its columns in whatever order. */
  readonly falseAsks: number
  readonly exAfterAsking: number
  readonly exAnyOrderAfterAsking: number
  /** Share of the way from the selector to the oracle, columns in whatever order; null without a gap. */
  readonly recovered: number | null
  /** The same by EX, where part of the gap is the order of columns, about which nobody is asked. */
  readonly recoveredEx: number | null
  /** What a question asked adds to the share of right answers, columns in whatever order. */
  readonly gainPerQuestion: number | null
}

/** Asking measured: where it is worth its cost, by the share asked, at random and always. */
export interface AskingReport {
  readonly atCost: AskingScore
  /** Questions by the value of asking, highest first; `at random` is the expectation for as many. */
  readonly curve: readonly (AskingScore & { readonly exAnyOrderAtRandom: number })[]
  readonly always: AskingScore
}

/** Shares of the questions that the curve is measured at. */
const SHARES = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5]

interface AskedQuestion {
  readonly value: number | null
  readonly isAskable: boolean
  readonly before: PoolLabel
  readonly after: PoolLabel
}

/**
 * Measures asking with a simulated person, who takes the first option with a right result. If there is none, they take
 * "something else": the answer stays as it was, and the question still counts as asked.
 */
export const scoreAsking = (
  questions: readonly PoolQuestion[],
  judged: readonly LabeledSelection[],
  { findQuestion, cost }: { readonly findQuestion: FindPoolClarification; readonly cost: number },
): AskingReport => {
  const askings = questions.map((question, at) => simulateAsking(question, judged[at]!, findQuestion))
  const oracle = {
    ex: shareOf(questions, ({ labels }) => labels.some(({ ex }) => ex)),
    anyOrder: shareOf(questions, ({ labels }) => labels.some(({ anyOrder }) => anyOrder)),
  }
  const byValue = askings
    .filter(({ value }) => value !== null)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0))
  const score = (asked: readonly AskedQuestion[]): AskingScore => scoreAsked(asked, askings, oracle)
  const always = score(byValue)
  const before = shareOf(askings, asking => asking.before.anyOrder)
  return {
    atCost: score(byValue.filter(({ value, isAskable }) => isAskable && (value ?? 0) >= cost)),
    curve: SHARES.map(share => {
      const asked = score(byValue.slice(0, Math.floor(share * askings.length)))
      const gained = (always.exAnyOrderAfterAsking - before) * asked.asked
      return { ...asked, exAnyOrderAtRandom: before + gained }
    }),
    always,
  }
}

const simulateAsking = (
  question: PoolQuestion,
  { label, selected: { groups = [] } }: LabeledSelection,
  findQuestion: FindPoolClarification,
): AskedQuestion => {
  const possible = findQuestion(question, groups)
  if (possible === null) return { value: null, isAskable: false, before: label, after: label }
  const byId = new Map(
    question.candidateVotes.map(({ candidateId }, at) => [candidateId, question.labels[at]]),
  )
  const chosen = possible.options.find(({ candidateIds }) =>
    candidateIds.some(id => byId.get(id)?.anyOrder === true || byId.get(id)?.ex === true),
  )
  const after = chosen === undefined ? label : (byId.get(chosen.answerId) ?? label)
  return { value: possible.value, isAskable: possible.isAskable, before: label, after }
}

const scoreAsked = (
  asked: readonly AskedQuestion[],
  askings: readonly AskedQuestion[],
  oracle: { readonly ex: number; readonly anyOrder: number },
): AskingScore => {
  const isAsked = new Set(asked)
  const outcome = (asking: AskedQuestion): PoolLabel => (isAsked.has(asking) ? asking.after : asking.before)
  const before = shareOf(askings, asking => asking.before.anyOrder)
  const after = shareOf(askings, asking => outcome(asking).anyOrder)
  const exBefore = shareOf(askings, asking => asking.before.ex)
  const exAfter = shareOf(askings, asking => outcome(asking).ex)
  return {
    asked: askings.length === 0 ? 0 : asked.length / askings.length,
    falseAsks: shareOf(askings, asking => isAsked.has(asking) && asking.before.anyOrder),
    exAfterAsking: exAfter,
    exAnyOrderAfterAsking: after,
    recovered: shareOfGap(before, after, oracle.anyOrder),
    recoveredEx: shareOfGap(exBefore, exAfter, oracle.ex),
    gainPerQuestion: asked.length === 0 ? null : ((after - before) * askings.length) / asked.length,
  }
}

const shareOf = <T>(items: readonly T[], test: (item: T) => boolean): number =>
  items.length === 0 ? 0 : items.filter(test).length / items.length

const shareOfGap = (before: number, after: number, oracle: number): number | null =>
  oracle > before ? (after - before) / (oracle - before) : null
