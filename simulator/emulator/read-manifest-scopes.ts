import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

const manifestSchema = z.looseObject({
  oauth_config: z.looseObject({ scopes: z.looseObject({ bot: z.array(z.string()) }) }),
})

/** What the app may do according to `manifest.yml`; a call beyond that is refused here as it would be by Slack. */
export const readManifestScopes = async (): Promise<readonly string[]> => {
  const text = await readFile(join(import.meta.dirname, '../../manifest.yml'), 'utf8')
  return manifestSchema.parse(parse(text)).oauth_config.scopes.bot
}
