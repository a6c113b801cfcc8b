import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { QuerentError } from '../domain/errors.ts'
import type { SealingKey } from '../domain/operations/workspace.ts'
import { projectFolder } from '../lib/project.ts'
import type { Config } from './config.ts'

/** Settings for several workspaces. */
export interface WorkspacesSettings {
  readonly clientId: string
  readonly clientSecret: string
  readonly stateSecret: string
  readonly keys: readonly SealingKey[]
  /** Ids of the workspaces that may install the bot. */
  readonly allowed: readonly string[]
}

/**
 * Reads the settings; null for a single workspace. Throws `bad-configuration` if something is missing, or if both ways
 * are configured: a leftover token would answer for every workspace.
 */
export const readWorkspacesSettings = ({ slack }: Pick<Config, 'slack'>): WorkspacesSettings | null => {
  const { clientId, clientSecret, stateSecret, encryptionKeys } = slack
  if (clientId === null) return null
  if (slack.botToken)
    throw new QuerentError(
      'bad-configuration',
      'SLACK_BOT_TOKEN is for one workspace and SLACK_CLIENT_ID for several; set only one of them',
    )
  if (!clientSecret || !stateSecret || !encryptionKeys)
    throw new QuerentError(
      'bad-configuration',
      `SLACK_CLIENT_ID needs ${namesOf({
        SLACK_CLIENT_SECRET: clientSecret,
        SLACK_STATE_SECRET: stateSecret,
        QUERENT_ENCRYPTION_KEYS: encryptionKeys,
      })} as well; see docs/workspaces.md`,
    )
  return {
    clientId,
    clientSecret: clientSecret.reveal(),
    stateSecret: stateSecret.reveal(),
    keys: readSealingKeys(encryptionKeys.reveal()),
    allowed: slack.workspaces,
  }
}

/** Parses `name:key,name:key`. Throws `bad-configuration` if two keys have the same name. */
export const readSealingKeys = (written: string): readonly SealingKey[] => {
  const keys = written.split(',').map(one => {
    const [id = '', key = ''] = one.split(':')
    return { id, key: Buffer.from(key, 'base64') }
  })
  const twice = keys.find(({ id }, i) => keys.findIndex(key => key.id === id) !== i)
  if (twice)
    throw new QuerentError(
      'bad-configuration',
      `QUERENT_ENCRYPTION_KEYS has two keys called ${twice.id}; give each key its own name`,
    )
  return keys
}

const namesOf = (variables: Readonly<Record<string, unknown>>): string =>
  Object.keys(variables)
    .filter(name => !variables[name])
    .join(' and ')

const Manifest = z.object({ oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }) })

/** The scopes in manifest.yml: what the bot needs, and no more. */
export const readManifestScopes = async (): Promise<readonly string[]> => {
  const text = await readFile(join(projectFolder, 'manifest.yml'), 'utf8')
  return Manifest.parse(parse(text)).oauth_config.scopes.bot
}
