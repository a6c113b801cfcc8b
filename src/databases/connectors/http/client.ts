import type { Readable } from 'node:stream'
import { Agent, type Dispatcher } from 'undici'
import { readAuthority } from './read-address.ts'

/** A server that is asked over HTTP, over connections that are kept. */
export interface HttpClient {
  /** Resolves with the head of the answer; `body` has to be read or destroyed. Rejects with the error of the network. */
  readonly request: (request: HttpRequest) => Promise<HttpAnswer>
  /** Closes every connection, in use or not. */
  readonly close: () => Promise<void>
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** With its query, from the first slash. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
}

export interface HttpAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readable & { readonly text: () => Promise<string> }
}

/** Makes a client of one origin. Nothing is sent to any other, whatever an answer says. */
export const makeHttpClient = (options: {
  /** `https://host:8443`. */
  readonly origin: string
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** A file with certificates of authorities to trust instead of the system's. */
  readonly authorityFile?: string | null
  readonly connectMilliseconds: number
}): HttpClient => {
  const agent = new Agent({
    connect: {
      timeout: options.connectMilliseconds,
      ...(options.authorityFile && { ca: readAuthority(options.authorityFile) }),
    },
    // A server may think as long as the statement may: the caller limits the time.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return {
    request: async ({ method, path, headers, body, signal }) => {
      const answer = await agent.request({
        origin: options.origin,
        path,
        method,
        headers: { ...options.headers, ...headers },
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
      })
      return { status: answer.statusCode, headers: plainHeaders(answer.headers), body: answer.body }
    },
    close: () => agent.destroy(),
  }
}

const plainHeaders = (headers: Dispatcher.ResponseData['headers']): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
