import { makeRandom } from '../../src/lib/random.ts'

/** How a call of the Web API goes wrong. */
export type FaultKind =
  /** Status 429; the bot can try again after that many seconds. */
  | { readonly kind: 'rate-limited'; readonly retryAfterSeconds: number }
  | { readonly kind: 'server-error' }
  /** No answer; the connection is cut after `ms`. */
  | { readonly kind: 'hang'; readonly ms: number }
  /** Slack does what it was asked, but its response is lost. */
  | { readonly kind: 'drop-response' }
  | { readonly kind: 'error'; readonly error: string }
  /** The stream of the call has expired before it. */
  | { readonly kind: 'expire-stream' }

/** Random faults: how often a call fails, from 0 to 1, and the seed. */
export interface FaultPlan {
  readonly seed: number
  readonly share: number
}

const limited = { kind: 'rate-limited', retryAfterSeconds: 1 } as const

const broken = { kind: 'server-error' } as const

const cut = { kind: 'hang', ms: 50 } as const

const lost = { kind: 'drop-response' } as const

const refused = { kind: 'error', error: 'invalid_blocks' } as const

const expired = { kind: 'expire-stream' } as const

/** The faults of each method, all equally likely. Other methods do not fail. */
const waysOf: Readonly<Record<string, readonly FaultKind[]>> = {
  'assistant.threads.setStatus': [limited, broken, lost],
  'chat.startStream': [limited, broken, cut, lost, refused],
  'chat.appendStream': [limited, broken, cut, lost, expired],
  'chat.stopStream': [limited, broken, cut, lost, expired],
  'chat.postMessage': [limited, broken, cut, lost, refused],
  'chat.update': [limited, broken, cut, lost, refused],
  'conversations.replies': [limited, broken, cut],
}

/**
 * Draws the fault of the next call. The draws depend on the seed and on the order of the calls, which is not ours: a run
 * can be repeated in kind, not call by call.
 */
export const makeDrawFault = ({ seed, share }: FaultPlan): ((method: string) => FaultKind | null) => {
  const random = makeRandom(seed)
  return method => {
    const ways = waysOf[method]
    if (!ways || random() >= share) return null
    return ways[Math.floor(random() * ways.length)] ?? null
  }
}
