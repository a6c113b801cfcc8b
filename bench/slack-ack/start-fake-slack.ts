import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the bot did in one thread. Times are of `performance.now()`. */
export interface ThreadSeen {
  posts: number
  /** When the message first showed an outcome; null while it only shows progress. */
  finalAt: number | null
}

/** The few methods of Slack's Web API that an answer needs, at next to no cost: the machine is for the bot. */
export interface FakeSlack {
  readonly apiUrl: string
  /** By the `ts` of the question. */
  readonly threads: ReadonlyMap<string, ThreadSeen>
  close(): Promise<void>
}

/** What can be stopped, or is a context block alone, is progress; outcomes have more. */
const isOutcome = (blocks: string): boolean => {
  const parsed = JSON.parse(blocks) as readonly { readonly type: string }[]
  return !blocks.includes('"stop_question"') && parsed.some(({ type }) => type !== 'context')
}

/** Starts it on a free port of this machine. */
export const startFakeSlack = async (team: { id: string; botUser: string }): Promise<FakeSlack> => {
  const threads = new Map<string, ThreadSeen>()
  const threadOf = new Map<string, ThreadSeen>()
  let posted = 0

  const note = (thread: ThreadSeen | undefined, params: URLSearchParams): void => {
    if (thread && thread.finalAt === null && isOutcome(params.get('blocks') ?? '[]')) {
      thread.finalAt = performance.now()
    }
  }

  const methods: Readonly<Record<string, (params: URLSearchParams) => object>> = {
    'auth.test': () => ({ team_id: team.id, user_id: team.botUser, bot_id: 'B0BENCH' }),
    'chat.postMessage': params => {
      const question = params.get('thread_ts') ?? ''
      const thread = threads.get(question) ?? { posts: 0, finalAt: null }
      threads.set(question, thread)
      thread.posts += 1
      posted += 1
      const ts = `9000000000.${String(posted).padStart(6, '0')}`
      threadOf.set(ts, thread)
      note(thread, params)
      return { channel: params.get('channel'), ts }
    },
    'chat.update': params => {
      const ts = params.get('ts') ?? ''
      note(threadOf.get(ts), params)
      return { channel: params.get('channel'), ts }
    },
    'assistant.threads.setStatus': () => ({}),
    'conversations.replies': () => ({ messages: [] }),
  }

  const server = createServer(async (request, response) => {
    const params = new URLSearchParams(await textOf(request))
    const method = methods[request.url?.replace('/api/', '') ?? '']
    const answer = method ? { ok: true, ...method(params) } : { ok: false, error: 'unknown_method' }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    apiUrl: `http://127.0.0.1:${port}/api/`,
    threads,
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
