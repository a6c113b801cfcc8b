import type { NotificationBus } from '../../core/notice.ts'
import { makeNoticeSubscribers } from '../notice-hearers.ts'
import { writeNotice } from '../stored/notice.ts'
import { redisPrefix, type SharedRedis } from './shared-redis.ts'

/**
 * Notices over Redis' publish and subscribe. The connection that listens is made again by itself, and listens again
 * then; what was told meanwhile is lost.
 */
export const makeRedisNoticeBoard = (
  redis: SharedRedis,
  { prefix = redisPrefix }: { readonly prefix?: string } = {},
): NotificationBus & { readonly ready: Promise<void> } => {
  const channel = `${prefix}notices`
  const hearers = makeNoticeSubscribers()
  // While a connection subscribes it can do nothing else.
  const listener = redis.client.duplicate({ disableOfflineQueue: false })
  // The other connection says in the log what is wrong with the server.
  listener.on('error', () => {})
  const ready = listener
    .connect()
    .then(() => listener.subscribe(channel, hearers.hear))
    .catch(() => {})
  return {
    ready,
    publish: async (name, notice) => {
      await redis.attempt(client => client.publish(channel, writeNotice(name, notice)))
    },
    subscribe: hearers.subscribe,
    close: async () => listener.destroy(),
  }
}
