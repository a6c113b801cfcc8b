import type { Authorize } from '@slack/bolt'
import { QuerentError } from '../../core/errors.ts'
import type { FindBotAccount } from '../../core/installation.ts'

/** Slack waits three seconds in all: the store gets one of them, and Slack delivers again where that was too little. */
const LOOKUP_TIMEOUT_MS = 1_000

/** Makes what tells Bolt, for each request, whose it is: the account in the workspace that it comes from. */
export const makeAuthorize =
  (find: FindBotAccount, budgetMs = LOOKUP_TIMEOUT_MS): Authorize<boolean> =>
  async ({ teamId, isEnterpriseInstall }) => {
    if (isEnterpriseInstall || teamId === undefined)
      throw new QuerentError(
        'not-installed',
        'the app is not installed for a whole organisation; install it in its workspaces',
      )
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => late.reject(new Error(`the installation in ${teamId} was not found within ${budgetMs} ms`)),
      budgetMs,
    )
    try {
      const { token, botId, botUserId, team } = await Promise.race([find(teamId), late.promise])
      return { botToken: token, botId, botUserId, teamId: team }
    } finally {
      clearTimeout(timer)
    }
  }
