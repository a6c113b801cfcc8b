import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { projectFolder } from '../../src/lib/project.ts'

const manifestSchema = z.looseObject({
  features: z.looseObject({ slash_commands: z.array(z.looseObject({ command: z.string() })) }),
  oauth_config: z.looseObject({ scopes: z.looseObject({ bot: z.array(z.string()) }) }),
})

/** The scopes in `manifest.yml`. Calls that need others are refused, as Slack does. */
export const readManifestScopes = async (): Promise<readonly string[]> =>
  (await readManifest()).oauth_config.scopes.bot

/** The slash commands that the app has. */
export const readManifestCommands = async (): Promise<readonly string[]> =>
  (await readManifest()).features.slash_commands.map(({ command }) => command)

const readManifest = async (): Promise<z.infer<typeof manifestSchema>> =>
  manifestSchema.parse(parse(await readFile(join(projectFolder, 'manifest.yml'), 'utf8')))
