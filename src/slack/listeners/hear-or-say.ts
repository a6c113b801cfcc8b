import type { AllMiddlewareArgs } from '@slack/bolt'
import { QuerentError } from '../../core/errors.ts'
import type { SlackLocation } from '../../core/place.ts'
import { unavailableView } from '../views/unavailable.ts'
import type { Background } from './background.ts'

/** An outage after this is another one, and is worth a word of its own. */
const SAME_OUTAGE_MS = 15 * 60_000
/** Threads remembered; beyond it the oldest may be told twice. */
const MOST_REMEMBERED_THREADS = 1_000

/** Hears what was said to us. Rejects when it could not be taken in, so that Slack delivers it again. */
export type ReceiveOrReport = (
  { client, context }: Pick<AllMiddlewareArgs, 'client' | 'context'>,
  place: SlackLocation,
  hear: () => Promise<unknown>,
) => Promise<void>

/**
 * Makes it: where our own store is away, that is said in the thread, once. Of several deliveries of a message the first
 * alone is told of, so that of several processes one speaks. Nothing is stored of it, as there is nowhere to store it.
 */
export const makeReceiveOrReport = (background: Background, now: () => number): ReceiveOrReport => {
  const told = new Map<string, number>()

  const isFirstIn = ({ channel, thread }: SlackLocation): boolean => {
    const key = `${channel} ${thread}`
    const at = told.get(key)
    if (at !== undefined && now() - at < SAME_OUTAGE_MS) return false
    told.delete(key)
    told.set(key, now())
    const [oldest] = told.keys()
    if (told.size > MOST_REMEMBERED_THREADS && oldest !== undefined) told.delete(oldest)
    return true
  }

  return async ({ client, context }, place, hear) => {
    try {
      await hear()
    } catch (error) {
      const isAway = error instanceof QuerentError && error.code === 'store-unavailable'
      if (isAway && context.retryNum === undefined && isFirstIn(place)) {
        background.run('telling that the store is away', () =>
          client.chat.postMessage({
            channel: place.channel,
            thread_ts: place.thread,
            text: unavailableView.text,
            blocks: [...unavailableView.blocks] as never,
          }),
        )
      }
      throw error
    }
  }
}
