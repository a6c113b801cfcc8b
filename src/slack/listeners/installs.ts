import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt'
import type { SlackUseCases } from '../use-cases.ts'

/** A workspace has removed the app. */
export const makeAppUninstalled =
  ({ removeInstallation }: Pick<SlackUseCases, 'removeInstallation'>) =>
  async ({ body }: SlackEventMiddlewareArgs<'app_uninstalled'> & AllMiddlewareArgs): Promise<void> => {
    await removeInstallation(body.team_id, removalTime(body.event_time))
  }

/** Tokens of the app were revoked in a workspace; without the bot's token it can do nothing there. */
export const makeTokensRevoked =
  ({ removeInstallation }: Pick<SlackUseCases, 'removeInstallation'>) =>
  async ({ body, event }: SlackEventMiddlewareArgs<'tokens_revoked'> & AllMiddlewareArgs): Promise<void> => {
    if ((event.tokens.bot ?? []).length > 0)
      await removeInstallation(body.team_id, removalTime(body.event_time))
  }

/** Slack rounds down to seconds: an installation in the same second is older than its removal. */
const removalTime = (seconds: number): Date => new Date((seconds + 1) * 1000)
