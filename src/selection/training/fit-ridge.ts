/**
 * Weights (the intercept first) of the linear function closest to the targets in squares, pulled towards nought by
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
