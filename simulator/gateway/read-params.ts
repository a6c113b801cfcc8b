import type { ApiParams } from './api-method.ts'

/** Fields that carry JSON when a call is form-encoded. */
const structured = new Set([
  'attachments',
  'blocks',
  'channels',
  'chunks',
  'files',
  'loading_messages',
  'metadata',
  'prompts',
  'unfurls',
  'view',
])

/** Reads the parameters of an API call from its body and query, whichever way they are encoded. */
export const readParams = (body: string, contentType: string, query: URLSearchParams): ApiParams => {
  const fromQuery = Object.fromEntries(query)
  if (contentType.includes('application/json')) {
    const parsed: unknown = body === '' ? {} : JSON.parse(body)
    return { ...fromQuery, ...(typeof parsed === 'object' ? parsed : {}) }
  }
  const fields = [...Object.entries(fromQuery), ...new URLSearchParams(body)]
  return Object.fromEntries(
    fields.map(([name, value]) => [name, structured.has(name) ? decode(value) : value]),
  )
}

/** Text that is not JSON stays as it is; the methods refuse it. */
const decode = (value: string): unknown => {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
