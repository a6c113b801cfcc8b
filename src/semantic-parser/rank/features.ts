/** Named evidence with its strength, for instance `['col.exact', 1]`. Names are keys of the weights file. */
export type Features = readonly (readonly [name: string, value: number])[]

/** Weight of every feature that has one; features without a weight count nothing. */
export type Weights = Readonly<Record<string, number>>

/** Sum of weighted features. */
export const weightedScore = (features: Features, weights: Weights): number => {
  let score = 0
  for (const [name, value] of features) score += (weights[name] ?? 0) * value
  return score
}
