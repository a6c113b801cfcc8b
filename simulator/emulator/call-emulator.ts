import { Agent, type OutgoingHttpHeaders, request as openRequest } from 'node:http'
import { makeTakeAlias } from './token-aliases.ts'

/** A call of the emulator's Web API: the method, its parameters, and the caller's token. */
export type CallEmulator = (
  method: string,
  params: Readonly<Record<string, unknown>>,
  token: string,
) => Promise<ApiAnswer>

/** The response of a method of Slack's Web API. */
export interface ApiAnswer {
  readonly ok: boolean
  readonly error?: string
  readonly [field: string]: unknown
}

/** Any request to the emulator, such as the content of an upload. */
export type RequestEmulator = (
  path: string,
  options?: {
    readonly method?: string
    readonly headers?: OutgoingHttpHeaders
    readonly body?: string | Buffer
  },
) => Promise<{ readonly status: number; readonly contentType: string | null; readonly content: Buffer }>

/** Requests over the emulator's socket, which is a file: no browser, and no other user of the machine, can open it. */
export const makeRequestEmulator = (
  socketPath: string,
): { readonly request: RequestEmulator; close(): void } => {
  const agent = new Agent({ keepAlive: true })
  return {
    close: () => agent.destroy(),
    request: (path, { method = 'GET', headers = {}, body } = {}) =>
      new Promise((resolve, reject) => {
        const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
        const sent = openRequest(
          { agent, socketPath, path, method, headers: { host: 'localhost', ...headers, ...length } },
          async response => {
            try {
              const content = Buffer.concat(await response.toArray())
              const contentType = response.headers['content-type'] ?? null
              resolve({ status: response.statusCode ?? 500, contentType, content })
            } catch (error) {
              reject(error)
            }
          },
        )
        sent.once('error', reject)
        sent.end(body)
      }),
  }
}

/**
 * Calls the emulator. A method that it does not have is Slack's `unknown_method`. Rejects when the emulator answers what
 * Slack never would.
 */
export const makeCallEmulator = (request: RequestEmulator): CallEmulator => {
  const takeAlias = makeTakeAlias()
  return async (method, params, token) => {
    const { status, content } = await request(`/api/${method}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        authorization: `Bearer ${takeAlias(token)}`,
      },
      body: JSON.stringify(params),
    })
    if (status === 404) return { ok: false, error: 'unknown_method' }
    const text = content.toString()
    const answer = JSON.parse(text) as Partial<ApiAnswer>
    if (typeof answer.ok === 'boolean') return { ...answer, ok: answer.ok }
    throw new Error(`the Slack emulator answered ${method} with ${status}: ${text.slice(0, 200)}`)
  }
}
