import { z } from 'zod'

/** What an endpoint says about a request that it turned away. `param` is the field it complains about. */
export interface ErrorBody {
  readonly message: string
  readonly code: string | null
  readonly param: string | null
}

const text = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .catch(null)

const described = z.object({ message: z.string().min(1), code: text, param: text })

/** FastAPI's list of what is wrong with a request, as vLLM's and Mistral's servers send it. */
const invalidFields = z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() }))

/**
 * Reads the body of an error. There is no standard: OpenAI, Azure, LiteLLM and Anthropic put an object under `error`,
 * Ollama a text, Google sends a list of one, vLLM has the message at the top, and FastAPI under `detail`. Null if it is
 * none of these.
 */
export const readErrorBody = (body: string): ErrorBody | null => {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return null
  }
  return readError(Array.isArray(json) ? json[0] : json)
}

const readError = (json: unknown): ErrorBody | null => {
  if (typeof json === 'string') return json === '' ? null : { message: json, code: null, param: null }
  if (typeof json !== 'object' || json === null) return null
  if ('error' in json && json.error) return readError(json.error)
  if ('detail' in json) return readDetail(json.detail)
  const read = described.safeParse(json).data
  return read ? { message: read.message, code: nameOrNull(read.code), param: nameOrNull(read.param) } : null
}

const readDetail = (detail: unknown): ErrorBody | null => {
  const fields = invalidFields.safeParse(detail).data
  if (fields === undefined) return readError(detail)
  const message = fields.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')
  return message === '' ? null : { message, code: null, param: null }
}

/** Proxies written in Python send the word `None` for a field they know nothing about. */
const nameOrNull = (name: string | null | undefined): string | null => (name && name !== 'None' ? name : null)
