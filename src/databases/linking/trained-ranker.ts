import type { RankerWeights } from './rank-columns.ts'
import trained from './trained-ranker.json' with { type: 'json' }

/** The ranker that ships: its file says on what it was trained and how well it did. */
export const trainedRankerWeights: RankerWeights = trained.weights
