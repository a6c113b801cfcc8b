/** Upper ends of histogram buckets, in seconds, for what takes from milliseconds to half a minute. */
export const stageBuckets: number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** The same for what waits for models, for people or for its turn: up to ten minutes. */
export const answerBuckets: number[] = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600]
