import { openCredentials } from '../../app/workspaces/seal-credentials.ts'
import type { Installation } from '../../core/installation.ts'
import { makeSealer } from '../../store/make-sealer.ts'
import type { WorkspacesSettings } from '../slack/workspaces-settings.ts'
import type { Check } from './check.ts'

/** Whether the tokens of all workspaces can be opened and exchanged, and whether any workspace may have the app. */
export const checkInstallations = (
  { keys, allowed }: Pick<WorkspacesSettings, 'keys' | 'allowed'>,
  installations: readonly Installation[],
): Omit<Check, 'part'> => {
  const sealer = makeSealer(keys)
  const opens = ({ team, sealed }: Installation): boolean => {
    try {
      openCredentials(sealer, team, sealed)
      return true
    } catch {
      return false
    }
  }
  const closed = installations.filter(one => !opens(one))
  if (closed.length > 0)
    return {
      status: 'broken',
      finding: `The tokens of ${namesOf(closed)} cannot be opened with QUERENT_ENCRYPTION_KEYS.`,
      todo: 'Put the key back that sealed them, behind the others; where it is lost, install the app there again.',
    }
  const failed = installations.filter(({ failure }) => failure !== null)
  if (failed.length > 0)
    return {
      status: 'weak',
      finding: `The tokens of ${namesOf(failed)} could not be exchanged; \`installations list\` says why.`,
      todo: 'It is tried again every ten minutes. Once they have expired, install the app there again.',
    }
  if (allowed.length === 0 && installations.length === 0)
    return {
      status: 'weak',
      finding: 'No workspace may install the app.',
      todo: 'Name the ids of workspaces under slack.workspaces in querent.yml.',
    }
  const stray = installations.filter(({ team }) => !allowed.includes(team))
  if (stray.length > 0)
    return {
      status: 'weak',
      finding: `${namesOf(stray)} has installed the app, but slack.workspaces does not name it: nothing there is answered.`,
      todo: 'Name it there, or remove it: npm run -s querent -- installations remove ID.',
    }
  const count = installations.length
  return {
    status: 'ok',
    finding: `Installed in ${count} ${count === 1 ? 'workspace' : 'workspaces'}; ${allowed.length} may have it.`,
  }
}

const namesOf = (some: readonly Installation[]): string =>
  some.map(({ team, teamName }) => `${teamName} (${team})`).join(', ')
