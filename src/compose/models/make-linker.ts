import type { Config } from '../../config/config.ts'
import type { LinkSchema } from '../../core/linked-schema.ts'
import type { Log } from '../../core/log.ts'
import { makeLinkSchema } from '../../databases/linking/link-schema.ts'
import { makeEmbeddingBonus } from '../../databases/linking/near-in-sense.ts'
import { readModelConnections } from './places-of-models.ts'

/** Makes schema linking. An embedder has a say where one is configured and `--model none` does not forbid it. */
export const makeSchemaLinker = async (
  config: Config,
  { named, log }: { readonly named: string | null; readonly log: Log },
): Promise<LinkSchema> => {
  const { tokenBudget } = config.linking
  if (!config.embedder || named === 'none') return makeLinkSchema({ tokenBudget })
  const { makeEmbedder } = await import('../../llm/embed-texts.ts')
  const endpoint = readModelConnections(config).findEndpoint(config.embedder.model)
  const embedder = makeEmbedder(endpoint, { ...config.embedder, model: endpoint.model })
  const nearInSense = makeEmbeddingBonus({ embedder, folder: `${config.home}/cache`, log })
  return makeLinkSchema({ tokenBudget, nearInSense })
}
