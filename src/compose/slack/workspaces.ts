import type { RemoveInstallation } from '../../core/installation.ts'
import type { SlackAuthorization } from '../../slack/app.ts'
import type { SlackCredentials } from '../../slack/delivery/make-client.ts'
import type { CredentialsOf } from './slack-doors.ts'

/** The workspaces that the bot is in: one, whose token is configured, or those that have installed the app. */
export interface Workspaces {
  readonly authorization: SlackAuthorization
  readonly apiUrl: string | null
  readonly doorOf: CredentialsOf
  /** What is to be spoken to where no workspace is known, as for who saved a verified query; null where there are several. */
  readonly only: SlackCredentials | null
  readonly remove: RemoveInstallation
  /** Keeps tokens fresh from now on. Resolves with how to stop. */
  startTokenRefresh(): Promise<() => void>
}

/** The one workspace of a token that stays. */
export const makeSingleWorkspace = (door: {
  readonly token: string
  readonly apiUrl: string | null
}): Workspaces => ({
  authorization: { token: door.token },
  apiUrl: door.apiUrl,
  doorOf: () => door,
  only: door,
  remove: async () => false,
  startTokenRefresh: async () => () => {},
})
