/** An installation of the app in a workspace; its tokens are stored encrypted. */
export interface Installation {
  readonly team: string
  readonly teamName: string
  /** The app's own user and bot there, to tell its messages from people's. */
  readonly botUserId: string
  readonly botId: string
  readonly scopes: readonly string[]
  /** Its `BotCredentials`, sealed by `Sealer` for `team`. */
  readonly sealed: string
  /** When the token expires; null if the app's tokens do not expire. */
  readonly expiresAt: Date | null
  readonly installedAt: Date
  /** Why the last token refresh failed; null if it worked. */
  readonly failure: { readonly reason: string; readonly at: Date } | null
}

/** The token for calling Slack and the refresh token for the next one, which works only once. */
export interface BotCredentials {
  readonly token: string
  readonly refreshToken: string | null
}

/** The bot's identity in a workspace and its token. */
export interface BotAccount extends Pick<Installation, 'team' | 'botUserId' | 'botId'> {
  readonly token: string
}

/** Finds the account for a workspace. Rejects with `not-installed` if the app is not installed. */
export type FindBotAccount = (team: string) => Promise<BotAccount>

/**
 * Encrypts secrets so that the store alone cannot reveal them. `boundTo` names the owner of a secret: a row copied to
 * another owner cannot be decrypted.
 */
export interface Sealer {
  seal(plain: string, boundTo: string): string
  /** Throws `bad-configuration` if the key is unknown or the sealed text does not match. */
  open(sealed: string, boundTo: string): string
  /** Whether it is sealed with the current key. */
  isCurrent(sealed: string): boolean
}

/** A workspace that installs the bot, as Slack reports it after a person agreed. */
export interface NewInstallation {
  /** Null if the app is installed for a whole organization. */
  readonly team: string | null
  readonly teamName: string
  /** Null if no bot was installed. */
  readonly bot: {
    readonly userId: string
    readonly id: string
    readonly scopes: readonly string[]
    readonly credentials: BotCredentials
    readonly expiresAt: Date | null
  } | null
}

/** Whether a workspace may have the bot; if not, a reason and one next step. */
export type CheckInstallation = (
  asked: Pick<NewInstallation, 'team' | 'teamName' | 'bot'>,
) =>
  | { readonly status: 'allowed' }
  | { readonly status: 'refused'; readonly reason: string; readonly nextStep: string }

/** Stops everything the bot does in a workspace that removed it then. False if it was not installed, or is again. */
export type RemoveInstallation = (team: string, removedAt: Date) => Promise<boolean>

/** A 32-byte key, and the name that identifies what it encrypted. */
export interface SealingKey {
  readonly id: string
  readonly key: Buffer
}
