import type { Installation } from '@slack/oauth'
import type { NewInstallation } from '../../core/installation.ts'

/** What Slack's library tells of an installation, as our noun. */
export const parseInstallation = (given: Installation): NewInstallation => {
  const { team, enterprise, bot } = given
  const isForAll = given.isEnterpriseInstall === true || team === undefined
  return {
    team: isForAll ? null : team.id,
    teamName: (isForAll ? enterprise?.name : team.name) ?? team?.id ?? 'that has no name',
    bot: bot
      ? {
          userId: bot.userId,
          id: bot.id,
          scopes: bot.scopes,
          credentials: { token: bot.token, refreshToken: bot.refreshToken ?? null },
          // Seconds, as Slack counts them.
          expiresAt: bot.expiresAt === undefined ? null : new Date(bot.expiresAt * 1000),
        }
      : null,
  }
}
