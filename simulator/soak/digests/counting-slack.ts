import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import { readBody } from '../../gateway/read-body.ts'

const Metadata = z.object({
  event_type: z.literal('querent_digest'),
  event_payload: z.object({ key: z.string() }),
})

/** A message as it was posted. `key` names the run that it is of. */
export interface CountedPost {
  readonly channel: string
  readonly ts: string
  readonly key: string
}

/** As much of Slack as the delivery of digests calls: it counts posts and finds them again. All else is an error. */
interface CountingSlack extends AsyncDisposable {
  readonly apiUrl: string
  readonly posts: readonly CountedPost[]
  /** What was asked of it that it does not expect. */
  readonly problems: readonly string[]
}

/** Messages of one channel that a look at its history gives. */
const MOST_SHOWN = 200

/** Starts it. `onPost` is called once a post is there and before its poster is told: the moment at which a crash hurts most. */
export const startCountingSlack = async (
  onPost: (count: number) => Promise<void> | void,
): Promise<CountingSlack> => {
  const posts: CountedPost[] = []
  const byChannel = new Map<string, (CountedPost & { readonly metadata: unknown })[]>()
  const problems: string[] = []
  let at = 1_700_000_000

  const postMessage = async (params: URLSearchParams): Promise<object> => {
    const channel = params.get('channel') ?? ''
    const metadata = Metadata.parse(JSON.parse(params.get('metadata') ?? 'null'))
    const ts = `${at++}.000100`
    const post = { channel, ts, key: metadata.event_payload.key }
    posts.push(post)
    byChannel.set(channel, [
      { ...post, metadata },
      ...(byChannel.get(channel) ?? []).slice(0, MOST_SHOWN - 1),
    ])
    await onPost(posts.length)
    return { ok: true, channel, ts }
  }
  const answer = async (method: string, params: URLSearchParams): Promise<object> => {
    switch (method) {
      case 'chat.postMessage':
        return postMessage(params)
      case 'chat.update':
        return { ok: true, channel: params.get('channel'), ts: params.get('ts') }
      case 'conversations.history': {
        const found = byChannel.get(params.get('channel') ?? '') ?? []
        return { ok: true, messages: found.map(({ ts, metadata }) => ({ ts, metadata })) }
      }
      default:
        problems.push(`${method} was called, which is not expected`)
        return { ok: false, error: 'unknown_method' }
    }
  }

  const server = createServer((request, response) => {
    void (async () => {
      const method = (request.url ?? '').split('/').at(-1) ?? ''
      const params = new URLSearchParams(String(await readBody(request)))
      const body = await answer(method, params).catch((error: unknown) => {
        problems.push(String(error))
        return { ok: false, error: 'invalid_arguments' }
      })
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(body))
    })()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    apiUrl: `http://127.0.0.1:${port}/api/`,
    posts,
    problems,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}
