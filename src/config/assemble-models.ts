import type { EndpointSettings, ModelSettings, ModelsSettings } from './config.ts'
import type { ConfigFile } from './schema.ts'
import { makeSecret } from './secret.ts'

type ModelsFile = NonNullable<ConfigFile['models']>

/** What of a role may be left out. */
type RoleFile = ModelsFile['fixer']

/** Fills in what roles leave out, and wraps keys. */
export const assembleModels = (models: ModelsFile): ModelsSettings => {
  const { drafter } = models
  // A share is a role's own: what the drafter may use says nothing of the others.
  const like = (role: RoleFile): ModelSettings => ({ ...drafter, ...role })
  const { seesRows, ...judge } = models.judge
  return {
    roles: {
      planner: like(models.planner),
      drafter,
      fixer: like(models.fixer),
      judge: like(judge),
      explainer: like(models.explainer),
      keywords: like(models.keywords),
      describer: like(models.describer),
      rewriter: like(models.rewriter),
    },
    judgeSeesRows: seesRows,
    drafters: models.drafters?.map(one => ({ ...drafter, ...one })) ?? [drafter],
    endpoints: withoutPrototype(models.endpoints, (name, { provider, model, baseUrl, apiKey }) => ({
      provider,
      model: model ?? name,
      baseUrl: baseUrl ?? null,
      apiKey: apiKey === undefined ? null : makeSecret(apiKey),
    })) satisfies Record<string, EndpointSettings>,
    prices: withoutPrototype(models.prices, (_, price) => price),
    breaker: models.breaker,
  }
}

/** Names are the user's: looking up one such as `constructor` must find nothing. */
const withoutPrototype = <T, R>(
  record: Readonly<Record<string, T>>,
  change: (name: string, value: T) => R,
): Record<string, R> => {
  const changed: Record<string, R> = Object.create(null)
  for (const [name, value] of Object.entries(record)) changed[name] = change(name, value)
  return changed
}
