import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

const Manifest = z.object({ oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }) })

/** The scopes that manifest.yml asks for: what the bot needs, and no more. */
export const readManifestScopes = async (): Promise<readonly string[]> => {
  const text = await readFile(join(import.meta.dirname, '../../../manifest.yml'), 'utf8')
  return Manifest.parse(parse(text)).oauth_config.scopes.bot
}
