import type { Metrics } from '../../core/metrics.ts'
import type { Store } from '../../store/make-store.ts'
import { withQuestionMetrics } from './count-questions.ts'

/** The same store, which counts outcomes and votes as it keeps them: whoever keeps one need not think of it. */
export const withStoreMetrics = (store: Store, metrics: Metrics, now: () => Date): Store => {
  const { questions, votes } = store.repositories
  return {
    ...store,
    questionLog: withQuestionMetrics(store.questionLog, {
      ...{ metrics, now },
      isPlaced: async questionId => (await questions.find(questionId))?.place != null,
    }),
    repositories: {
      ...store.repositories,
      votes: {
        ...votes,
        upsert: async (given, tx) => {
          await votes.upsert(given, tx)
          metrics.vote(given.vote)
        },
      },
    },
  }
}
