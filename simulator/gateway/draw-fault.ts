import { makeRandom } from '../../src/lib/random.ts'
import type { FaultKind } from './make-faults.ts'

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
