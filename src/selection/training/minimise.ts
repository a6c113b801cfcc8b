/** A smooth function: returns its value at `x` and writes its gradient there. */
export type SmoothFunction = (x: Float64Array, gradient: Float64Array) => number

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
