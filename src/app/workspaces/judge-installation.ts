import type { CheckInstallation } from '../../core/installation.ts'

/**
 * Makes it: the app goes to the workspaces that are named, and to no others. Whoever finds the address of an installation
 * page could otherwise put the bot into a workspace of their own, and ask it about our databases there.
 */
export const makeCheckInstallation =
  (allowed: readonly string[]): CheckInstallation =>
  ({ team, teamName, bot }) => {
    if (team === null)
      return {
        status: 'refused',
        reason: 'Querent cannot be installed for a whole organisation.',
        nextStep: 'Install it in each workspace that is to have it.',
      }
    if (!allowed.includes(team))
      return {
        status: 'refused',
        reason: `This Querent is not there for the workspace ${teamName}.`,
        nextStep: `Whoever runs it can let the workspace in: add ${team} to slack.workspaces in querent.yml, and start it again.`,
      }
    if (bot === null)
      return {
        status: 'refused',
        reason: 'Slack gave no token for a bot.',
        nextStep: 'Make the app from manifest.yml, which asks for the scopes of a bot, and install it again.',
      }
    return { status: 'allowed' }
  }
