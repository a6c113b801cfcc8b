import { prepareText, scoreMatch } from '../../src/databases/value-index/score-match.ts'

/** Another way to find values, built over the same values. */
export interface Peer {
  readonly name: string
  readonly buildSeconds: number
  /** What it takes beside the texts, where that can be told apart; else with them. */
  readonly indexBytes: number
  readonly find: (keyword: string) => Promise<readonly string[]>
  readonly close: () => Promise<void>
}

/** Values that a peer gives for one keyword, before they are ranked as ours are: by the same score. */
export const mostRanked = 50

/** The ten best of what a peer gave, by our own score, so that only the search differs. */
export const rankAgain = (keyword: string, values: readonly string[]): readonly string[] => {
  const prepared = prepareText(keyword)
  return values
    .map(value => ({ value, score: scoreMatch(prepared, prepareText(value)) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, 10)
    .map(({ value }) => value)
}
