/**
 * erfc(x) for x >= 0, to a relative error below 1.2e-7: the Chebyshev fit of Numerical Recipes (2nd edition, 6.2).
 */
export const complementaryError = (x: number): number => {
  const t = 1 / (1 + x / 2)
  const polynomial = COEFFICIENTS.reduceRight((sum, coefficient) => sum * t + coefficient, 0)
  return Math.min(1, t * Math.exp(polynomial - x * x))
}

const COEFFICIENTS = [
  -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587,
  -0.82215223, 0.17087277,
]
