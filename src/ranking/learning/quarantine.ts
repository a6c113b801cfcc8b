import { likelihoodOfClaim } from './compare-on-votes.ts'
import type { ReviewedSignal } from './voters.ts'

/** Why a statement waits for an admin. */
export type HoldReason =
  /** One of many that the person made within minutes. */
  | 'burst'
  /** Several others agree on the answer, and this one contradicts all of them. */
  | 'against-all'

/** More statements of one person than this within `BURST_MS` are a burst: nobody reads that many answers so fast. */
export const MOST_IN_BURST = 10

export const BURST_MS = 10 * 60_000

/** How many others it takes that agree on an answer. */
const AGREEING_OTHERS = 2

/**
 * The statements that train nothing until an admin decides, each with why. One that was decided about is not held
 * again. Trusted people's, admins', are never held.
 */
export const findHeld = (
  statements: readonly ReviewedSignal[],
  trusted: ReadonlySet<string>,
): ReadonlyMap<ReviewedSignal, HoldReason> => {
  const held = new Map<ReviewedSignal, HoldReason>()
  const hold = (statement: ReviewedSignal, reason: HoldReason): void => {
    if (statement.review === null && !trusted.has(statement.person)) held.set(statement, reason)
  }
  const counting = statements.filter(({ review }) => review !== 'dropped')
  for (const said of Map.groupBy(counting, ({ questionId }) => questionId).values())
    for (const statement of said)
      if (
        isAgainstAll(
          statement,
          said.filter(other => other.person !== statement.person),
        )
      )
        hold(statement, 'against-all')
  for (const own of Map.groupBy(statements, ({ person }) => person).values())
    for (const statement of burstsOf(own)) hold(statement, 'burst')
  return held
}

/** All statements within a stretch that has too many of them. */
const burstsOf = (own: readonly ReviewedSignal[]): ReadonlySet<ReviewedSignal> => {
  const inOrder = own.toSorted((a, b) => a.givenAt.getTime() - b.givenAt.getTime())
  const found = new Set<ReviewedSignal>()
  let first = 0
  inOrder.forEach((statement, at) => {
    while (statement.givenAt.getTime() - inOrder[first]!.givenAt.getTime() > BURST_MS) first++
    if (at - first < MOST_IN_BURST) return
    for (const one of inOrder.slice(first, at + 1)) found.add(one)
  })
  return found
}

const isAgainstAll = (statement: ReviewedSignal, others: readonly ReviewedSignal[]): boolean =>
  others.length >= AGREEING_OTHERS &&
  areCompatible(others) &&
  others.every(other => !areCompatible([statement, other]))

/** Whether one truth exists under which nobody erred: a group is right, or none of them is. */
const areCompatible = (said: readonly ReviewedSignal[]): boolean =>
  [...said[0]!.groups.map(({ key }) => key), null].some(truth =>
    said.every(({ claim, groups }) => likelihoodOfClaim({ claim, groups, slip: 0 }, truth) > 0),
  )
