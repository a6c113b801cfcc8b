import type { GroupOdds } from '../votes.ts'

/** Measures of one case, the intercept's 1 first, and whether it was right. */
export interface Case {
  readonly measures: readonly number[]
  readonly right: boolean
}

const LOGISTIC_PULL = 1

/** Probability under a logistic model. */
export const probabilityOf = (measures: readonly number[], model: Float64Array): number =>
  1 / (1 + Math.exp(-measures.reduce((sum, measure, i) => sum + measure * (model[i] ?? 0), 0)))

/** Logistic regression with an L2 pull towards zero on all but the first measure, the intercept. */
export const fitLogistic = (cases: readonly Case[]): Float64Array =>
  minimize(
    (model, gradient) => {
      let price = 0
      gradient.fill(0)
      for (let i = 1; i < model.length; i++) {
        price += (LOGISTIC_PULL / 2) * model[i]! ** 2
        gradient[i] = LOGISTIC_PULL * model[i]!
      }
      for (const { measures, right } of cases) {
        const logit = measures.reduce((sum, measure, i) => sum + measure * model[i]!, 0)
        // log(1 + e^z), without overflow
        price += Math.max(logit, 0) + Math.log1p(Math.exp(-Math.abs(logit))) - (right ? logit : 0)
        const missed = 1 / (1 + Math.exp(-logit)) - Number(right)
        for (const [i, measure] of measures.entries()) gradient[i]! += missed * measure
      }
      return price
    },
    new Float64Array(cases[0]?.measures.length ?? 0),
  )

/**
 * Weights (the intercept first) of the linear function closest to the targets in squares, pulled towards zero by
 * `pull` on every weight. Solves the normal equations by Cholesky's decomposition; `pull` > 0 makes them definite.
 */
export const fitRidge = (
  rows: readonly (readonly number[])[],
  targets: readonly number[],
  pull: number,
): readonly number[] => {
  const size = (rows[0]?.length ?? 0) + 1
  const matrix = Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (_, j) => (i === j ? pull : 0)),
  )
  const right = new Array<number>(size).fill(0)
  rows.forEach((row, at) => {
    const whole = [1, ...row]
    for (let i = 0; i < size; i++) {
      right[i]! += whole[i]! * targets[at]!
      for (let j = 0; j <= i; j++) matrix[i]![j]! += whole[i]! * whole[j]!
    }
  })
  return solve(matrix, right)
}

/** Solves a symmetric positive definite system of which the lower triangle is given; overwrites it. */
const solve = (lower: number[][], right: readonly number[]): readonly number[] => {
  const size = right.length
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = lower[i]![j]!
      for (let k = 0; k < j; k++) sum -= lower[i]![k]! * lower[j]![k]!
      lower[i]![j] = i === j ? Math.sqrt(sum) : sum / lower[j]![j]!
    }
  }
  const half = new Array<number>(size).fill(0)
  for (let i = 0; i < size; i++) {
    let sum = right[i]!
    for (let k = 0; k < i; k++) sum -= lower[i]![k]! * half[k]!
    half[i] = sum / lower[i]![i]!
  }
  const found = new Array<number>(size).fill(0)
  for (let i = size - 1; i >= 0; i--) {
    let sum = half[i]!
    for (let k = i + 1; k < size; k++) sum -= lower[k]![i]! * found[k]!
    found[i] = sum / lower[i]![i]!
  }
  return found
}

/** The groups of one question: their scores in a vote, and which of them are right. */
export interface ScoredGroups {
  readonly scores: readonly number[]
  readonly right: readonly boolean[]
}

/** Keeps two numbers from running away where few questions are known. */
const GROUP_ODDS_PULL = 0.1

/**
 * Fits the odds by maximum likelihood: a conditional logit with "none of them" as one more alternative (McFadden 1974),
 * where several groups may be right.
 */
export const fitGroupOdds = (questions: readonly ScoredGroups[]): GroupOdds => {
  const known = questions.filter(({ scores }) => scores.length > 0)
  const [scale = 0, none = 0] = minimize(
    (odds, gradient) => {
      const [scale = 0, none = 0] = odds
      gradient[0] = GROUP_ODDS_PULL * scale
      gradient[1] = GROUP_ODDS_PULL * none
      let price = (GROUP_ODDS_PULL / 2) * (scale ** 2 + none ** 2)
      for (const { scores, right } of known) {
        const anyRight = right.includes(true)
        const all = spread([...scores.map(score => scale * score), none])
        const good = anyRight ? spread(scores.filter((_, at) => right[at]).map(score => scale * score)) : null
        price += all.log - (good?.log ?? none)
        const expected = mean(scores, all.shares)
        const wanted =
          good === null
            ? 0
            : mean(
                scores.filter((_, at) => right[at]),
                good.shares,
              )
        gradient[0]! += expected - wanted
        gradient[1]! += (all.shares.at(-1) ?? 0) - Number(!anyRight)
      }
      return price
    },
    new Float64Array([1, 0]),
  )
  return { scale, none }
}

/** Log of the sum of exponentials, and the share of each; without overflow. */
const spread = (logits: readonly number[]): { readonly log: number; readonly shares: readonly number[] } => {
  const top = Math.max(...logits)
  const weights = logits.map(logit => Math.exp(logit - top))
  const sum = weights.reduce((a, b) => a + b, 0)
  return { log: top + Math.log(sum), shares: weights.map(weight => weight / sum) }
}

const mean = (values: readonly number[], shares: readonly number[]): number =>
  values.reduce((sum, value, at) => sum + value * (shares[at] ?? 0), 0)

/** A smooth function: returns its value at `x` and writes its gradient there. */
type SmoothFunction = (x: Float64Array, gradient: Float64Array) => number

/** How many past steps shape the next one. */
const REMEMBERED = 10

const MOST_STEPS = 200

const MOST_HALVINGS = 40

/** Armijo's share of the promised decrease that a step must keep. */
const KEPT_DECREASE = 1e-4

/**
 * The minimum of a convex function by L-BFGS with a line search that halves the step (Nocedal and Wright, Numerical
 * Optimization, algorithms 7.4 and 3.1). Ends when the largest part of the gradient is at most `tolerance`, when a
 * step gains nothing that a double can hold, or after 200 steps.
 */
export const minimize = (smooth: SmoothFunction, start: Float64Array, tolerance = 1e-4): Float64Array => {
  let x = Float64Array.from(start)
  let gradient = new Float64Array(x.length)
  let value = smooth(x, gradient)
  const past: { readonly step: Float64Array; readonly change: Float64Array; readonly curvature: number }[] =
    []
  for (let round = 0; round < MOST_STEPS && largest(gradient) > tolerance; round++) {
    const direction = negated(gradient)
    const shares: number[] = []
    for (const { step, change, curvature } of [...past].reverse()) {
      const share = dot(step, direction) / curvature
      shares.unshift(share)
      addTo(direction, change, -share)
    }
    const last = past.at(-1)
    const scale = last
      ? last.curvature / dot(last.change, last.change)
      : 1 / Math.sqrt(dot(gradient, gradient))
    for (let i = 0; i < direction.length; i++) direction[i]! *= scale
    for (const [index, { step, change, curvature }] of past.entries())
      addTo(direction, step, shares[index]! - dot(change, direction) / curvature)

    const found = search(smooth, { x, value, direction, slope: dot(gradient, direction) })
    if (!found) break
    const step = difference(found.x, x)
    const change = difference(found.gradient, gradient)
    const curvature = dot(step, change)
    // Without curvature along the step the estimate would no longer be positive definite.
    if (curvature > 1e-12) past.push({ step, change, curvature })
    if (past.length > REMEMBERED) past.shift()
    ;({ x, value, gradient } = found)
  }
  return x
}

interface Place {
  readonly x: Float64Array
  readonly value: number
  readonly direction: Float64Array
  readonly slope: number
}

const search = (smooth: SmoothFunction, { x, value, direction, slope }: Place) => {
  const gradient = new Float64Array(x.length)
  for (let length = 1, tried = 0; tried < MOST_HALVINGS; length /= 2, tried++) {
    const next = Float64Array.from(x)
    addTo(next, direction, length)
    const reached = smooth(next, gradient)
    if (reached < value && reached <= value + KEPT_DECREASE * length * slope)
      return { x: next, value: reached, gradient }
  }
  return null
}

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

const addTo = (a: Float64Array, b: Float64Array, times: number): void => {
  for (let i = 0; i < a.length; i++) a[i]! += times * b[i]!
}

const difference = (a: Float64Array, b: Float64Array): Float64Array => a.map((part, i) => part - b[i]!)

const negated = (a: Float64Array): Float64Array => a.map(part => -part)

const largest = (a: Float64Array): number => a.reduce((most, part) => Math.max(most, Math.abs(part)), 0)

/** A linear function of measures; the intercept is the first weight. */
export const linearScore = (
  measures: readonly number[],
  [intercept = 0, ...weights]: readonly number[],
): number => measures.reduce((sum, measure, i) => sum + measure * (weights[i] ?? 0), intercept)
