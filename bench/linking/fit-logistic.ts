import { minimize } from '../../src/ranking/learning/fit.ts'

/** Examples with few features each, one behind the other. */
export interface Examples {
  readonly add: (features: Float64Array, isRight: boolean, counts?: number) => void
  readonly size: () => number
  readonly fit: (width: number, pull: number) => Float64Array
}

/** Collects examples for a logistic regression with an L2 pull towards nought. */
export const makeExamples = (): Examples => {
  const rows: {
    readonly ids: Uint16Array
    readonly values: Float32Array
    readonly right: boolean
    readonly counts: number
  }[] = []
  return {
    add: (features, right, counts = 1) => {
      const ids: number[] = []
      for (let i = 0; i < features.length; i++) if (features[i] !== 0) ids.push(i)
      rows.push({
        ids: Uint16Array.from(ids),
        values: Float32Array.from(ids, id => features[id]!),
        right,
        counts,
      })
    },
    size: () => rows.length,
    fit: (width, pull) =>
      minimize(
        (weights, gradient) => {
          let price = 0
          for (let i = 0; i < width; i++) {
            gradient[i] = pull * weights[i]!
            price += (pull / 2) * weights[i]! * weights[i]!
          }
          for (const { ids, values, right, counts } of rows) {
            let odds = 0
            for (let k = 0; k < ids.length; k++) odds += values[k]! * weights[ids[k]!]!
            const p = 1 / (1 + Math.exp(-odds))
            const push = counts * (p - (right ? 1 : 0))
            const miss = right ? -odds : odds
            price += counts * (miss > 30 ? miss : Math.log1p(Math.exp(miss)))
            for (let k = 0; k < ids.length; k++) gradient[ids[k]!]! += push * values[k]!
          }
          return price
        },
        new Float64Array(width),
        1e-2,
      ),
  }
}
