import type { CallModel } from './call-model.ts'
import type { FindEndpoint } from './endpoints.ts'
import { makeOpenAi } from './openai.ts'

/** Sends each request to the endpoint of its model, under the name that the model has there. */
export const routeCalls =
  (findEndpoint: FindEndpoint): CallModel =>
  async call => {
    const endpoint = findEndpoint(call.model)
    const named = { ...call, model: endpoint.model }
    if (endpoint.provider === 'openai') return makeOpenAi(endpoint)(named)
    // Loaded by those who need it: most speak to OpenAI-compatible endpoints alone.
    const { makeProviderModel } = await import('./provider-model.ts')
    return makeProviderModel(endpoint)(named)
  }
