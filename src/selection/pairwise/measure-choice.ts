/** Names of what is measured of a choice, in their order. */
export const choiceMeasureNames = [
  'log-odds',
  'gap',
  'log-groups',
  'log-candidates',
  'share',
  'lead',
  'witness',
  'empty',
  'absent-literal',
] as const

/** One ranked group as calibration sees it. */
export interface RankedChoice {
  readonly utility: number
  /** How many agree. */
  readonly candidates: number
  readonly measures: Readonly<Record<string, number>>
}

/** So far ahead is as good as further. */
const MOST_GAP = 6

/**
 * A choice in numbers, for the probability that its winner is right: how far it is ahead, and what stands behind it.
 * `ranked` is best first and not empty.
 */
export const measureChoice = (ranked: readonly RankedChoice[]): readonly number[] => {
  const [winner, second] = ranked as readonly [RankedChoice, ...RankedChoice[]]
  const rest = ranked.slice(1).reduce((sum, { utility }) => sum + Math.exp(utility - winner.utility), 0)
  const of = (name: string): number => winner.measures[name] ?? 0
  return [
    Math.min(MOST_GAP, -Math.log(rest + Math.exp(-MOST_GAP))),
    Math.min(MOST_GAP, second === undefined ? MOST_GAP : winner.utility - second.utility),
    Math.log(ranked.length),
    Math.log(ranked.reduce((sum, { candidates }) => sum + candidates, 0)),
    of('vote-share'),
    of('vote-margin'),
    of('witness'),
    of('result-empty'),
    of('literal-absent'),
  ]
}
