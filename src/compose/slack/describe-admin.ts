import type { DeadJobs } from '../../core/dead-job.ts'
import type { AdminFacts } from '../../core/home.ts'
import { shippedVersion } from '../../core/selector-version.ts'
import type { Repositories } from '../../store/repositories/make-repositories.ts'

/** Failures listed. */
const MAX_FAILED = 5
const MAX_DEAD_JOBS = 3
const MAX_SPENDERS = 5

/** What admins see, out of our store: one query a section, made at once. */
export const makeDescribeAdmin =
  (
    repositories: Pick<
      Repositories,
      | 'questions'
      | 'votes'
      | 'selectorVersions'
      | 'verifiedQueries'
      | 'proposedRules'
      | 'homeQuestions'
      | 'installations'
    >,
    databases: readonly string[],
    dead: Pick<DeadJobs, 'list'>,
  ): ((team: string) => Promise<AdminFacts>) =>
  async team => {
    const { questions, votes, selectorVersions, verifiedQueries, proposedRules, homeQuestions } = repositories
    const [ended, voted, champion, verified, rules, failed, deadJobs, failedTokens] = await Promise.all([
      questions.countEnded(),
      votes.countAll(),
      selectorVersions.findChampion(),
      verifiedQueries.list(),
      proposedRules.list({ status: 'proposed' }),
      homeQuestions.listFailed(team, MAX_FAILED),
      dead.list(MAX_DEAD_JOBS),
      repositories.installations.listFailed(MAX_SPENDERS),
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
      dead: deadJobs,
      databases,
      failedTokens: failedTokens.map(({ teamName, failure, expiresAt }) => ({
        ...{ teamName, expiresAt },
        reason: failure?.reason ?? '',
      })),
    }
  }
