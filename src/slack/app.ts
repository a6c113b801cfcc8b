import { App, type Logger, LogLevel, type Receiver } from '@slack/bolt'
import type { Log } from '../core/log.ts'
import { makeBackground } from './listeners/background.ts'
import { registerListeners } from './listeners/index.ts'
import type { SlackUseCases } from './use-cases.ts'

/** How Slack reaches the bot: over HTTP, or over a socket that we open. */
export type SlackReceiver = Receiver

/** The Slack surface, ready to start. */
export interface SlackSurface {
  start(): Promise<void>
  /** Takes nothing new in, then waits for listeners and for work they began, at most `timeoutMs`. */
  stop(timeoutMs: number): Promise<void>
}

/** Makes the Bolt app over a receiver: middleware that counts what is under way, and the listeners. */
export const makeSlackSurface = (options: {
  readonly receiver: Receiver
  readonly token: string
  /** Another address of the Web API, for the simulator. */
  readonly apiUrl?: string
  readonly useCases: SlackUseCases
  readonly logger: Logger
  readonly log: Log
}): SlackSurface => {
  const app = new App({
    receiver: options.receiver,
    token: options.token,
    logger: options.logger,
    logLevel: LogLevel.WARN,
    // A listener holds Slack's answer: what does not work within seconds is better clicked again.
    clientOptions: {
      timeout: 10_000,
      retryConfig: { retries: 1, minTimeout: 200 },
      ...(options.apiUrl ? { slackApiUrl: options.apiUrl } : {}),
    },
  })
  const background = makeBackground(options.log)
  const listening = new Set<Promise<unknown>>()
  app.use(async ({ next }) => {
    const done = next()
    listening.add(done)
    try {
      await done
    } finally {
      listening.delete(done)
    }
  })
  // Rethrown, an error keeps the event from being acknowledged, and Slack delivers it again.
  app.error(async error => {
    options.log.error({ error }, 'a listener failed')
    throw error
  })
  registerListeners(app, options.useCases, background)
  return {
    start: async () => {
      await app.start()
    },
    stop: async timeoutMs => {
      const drained = app
        .stop()
        .then(() => Promise.allSettled([...listening]))
        .then(() => background.settled())
        .catch((error: unknown) => options.log.warn({ error }, 'the surface did not stop cleanly'))
      const timer = Promise.withResolvers<void>()
      const timeout = setTimeout(timer.resolve, timeoutMs)
      await Promise.race([drained, timer.promise])
      clearTimeout(timeout)
    },
  }
}
