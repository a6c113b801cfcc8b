import type { AdminFacts } from '../core/home.ts'
import { shippedVersion } from '../core/selector-version.ts'
import type { Repositories } from '../store/repositories/make-repositories.ts'

/** Failures listed. */
const MOST_FAILED = 5

/** What admins see, out of our store: one query a section, made at once. */
export const makeDescribeAdmin =
  (
    repositories: Pick<
      Repositories,
      'questions' | 'votes' | 'selectorVersions' | 'verifiedQueries' | 'proposedRules' | 'homeQuestions'
    >,
    databases: readonly string[],
  ): ((team: string) => Promise<AdminFacts>) =>
  async team => {
    const { questions, votes, selectorVersions, verifiedQueries, proposedRules, homeQuestions } = repositories
    const [ended, voted, champion, verified, rules, failed] = await Promise.all([
      questions.countEnded(),
      votes.countAll(),
      selectorVersions.findChampion(),
      verifiedQueries.list(),
      proposedRules.list({ status: 'proposed' }),
      homeQuestions.listFailed(team, MOST_FAILED),
    ])
    return {
      questions: ended,
      votes: voted,
      selector: { version: champion?.version ?? shippedVersion, report: champion?.report ?? null },
      verified: {
        accepted: verified.filter(({ status }) => status === 'accepted').length,
        proposed: verified.filter(({ status }) => status === 'proposed').length,
        stale: verified.filter(({ status }) => status === 'stale'),
      },
      rules,
      failed,
      databases,
    }
  }
