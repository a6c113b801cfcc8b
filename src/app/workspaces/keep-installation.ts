import { QuerentError } from '../../core/errors.ts'
import type { CheckInstallation, Installation, NewInstallation, Sealer } from '../../core/installation.ts'
import type { Log } from '../../core/log.ts'
import { sealCredentials } from './seal-credentials.ts'

/** Keeps a workspace that has installed the app, in the place of what was kept of it before. */
export type StoreInstallation = (given: NewInstallation) => Promise<void>

/** Makes it. Rejects with `bad-arguments` for a workspace that may not have the bot. */
export const makeStoreInstallation =
  (deps: {
    readonly judge: CheckInstallation
    readonly sealer: Sealer
    readonly upsert: (installation: Omit<Installation, 'failure'>) => Promise<void>
    /** Forgets what is remembered of the workspace. */
    readonly forget: (team: string) => void
    readonly now: () => Date
    readonly log: Log
  }): StoreInstallation =>
  async given => {
    const judged = deps.judge(given)
    if (judged.status === 'refused')
      throw new QuerentError('bad-arguments', `${judged.reason} ${judged.nextStep}`)
    const { team, teamName, bot } = given
    if (team === null || bot === null)
      throw new Error('an installation without workspace or bot was let through')
    await deps.upsert({
      team,
      teamName,
      botUserId: bot.userId,
      botId: bot.id,
      scopes: bot.scopes,
      sealed: sealCredentials(deps.sealer, team, bot.credentials),
      expiresAt: bot.expiresAt,
      installedAt: deps.now(),
    })
    deps.forget(team)
    deps.log.info({ team, teamName }, 'installed in a workspace')
  }
