import { App, type Authorize, type Logger, LogLevel, type Receiver } from '@slack/bolt'
import { QuerentError } from '../domain/errors.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import { answerVisibly, visibleFetch } from './delivery/client.ts'
import { makeRequireOwnWorkspace } from './installs/authorize.ts'
import { makeBackground } from './listeners/clicks-and-forms.ts'
import { registerListeners } from './listeners/register.ts'
import type { SlackUseCases } from './use-cases.ts'

/** How Slack reaches the bot: over HTTP, or over a socket that we open. */
export interface SlackReceiver extends Receiver {
  /** Whether Slack reaches the bot now. A receiver that cannot know leaves it out: then it counts from its start. */
  isConnected?(): boolean
}

/** Whose requests are accepted: those of a token's one workspace, or of each workspace that installed the app. */
export type SlackAuthorization = { readonly token: string } | { readonly authorize: Authorize<boolean> }

/** The Slack surface, ready to start. */
export interface SlackSurface {
  start(): Promise<void>
  /** Whether Slack reaches the bot: it listens, or its socket is connected. */
  isConnected(): boolean
  /** Accepts no new requests, then waits for listeners and the work they started, at most `timeoutMs`. */
  stop(timeoutMs: number): Promise<void>
}

/** Makes the Bolt app over a receiver, with the listeners and middleware that tracks which of them are running. */
export const makeSlackSurface = (options: {
  readonly receiver: SlackReceiver
  readonly authorization: SlackAuthorization
  /** Another address of the Web API, for the simulator. */
  readonly apiUrl?: string
  readonly useCases: SlackUseCases
  readonly logger: Logger
  readonly log: Log
}): SlackSurface => {
  const app = new App({
    receiver: answerVisibly(options.receiver),
    ...options.authorization,
    logger: options.logger,
    logLevel: LogLevel.WARN,
    // Slack waits for the listener: a call that fails within seconds is better clicked again.
    clientOptions: {
      timeout: 10_000,
      fetch: visibleFetch,
      retryConfig: { retries: 1, minTimeout: 200 },
      ...(options.apiUrl ? { slackApiUrl: options.apiUrl } : {}),
    },
  })
  const background = makeBackground(options.log)
  const running = new Set<Promise<unknown>>()
  app.use(async ({ next }) => {
    const done = next()
    running.add(done)
    try {
      await done
    } finally {
      running.delete(done)
    }
  })
  // Rethrown, an error keeps the event from being acknowledged, and Slack delivers it again.
  app.error(async error => {
    if (isNotInstalled(error)) {
      // It will not be installed by the next delivery either.
      options.log.warn({ error }, 'a request of a workspace without the app was ignored')
      return
    }
    options.log.error({ error }, 'a listener failed')
    throw error
  })
  if ('authorize' in options.authorization) app.use(makeRequireOwnWorkspace(options.log))
  registerListeners(app, options.useCases, background)
  let isListening = false
  return {
    start: async () => {
      await app.start()
      isListening = true
    },
    isConnected: () => isListening && (options.receiver.isConnected?.() ?? true),
    stop: async timeoutMs => {
      isListening = false
      const drained = app
        .stop()
        .then(() => Promise.allSettled([...running]))
        .then(() => background.settled())
        .catch((error: unknown) => options.log.warn({ error }, 'the surface did not stop cleanly'))
      const timer = Promise.withResolvers<void>()
      const timeout = setTimeout(timer.resolve, timeoutMs)
      await Promise.race([drained, timer.promise])
      clearTimeout(timeout)
    },
  }
}

/** Bolt wraps what authorizing threw. */
const isNotInstalled = (error: unknown): boolean =>
  error instanceof Error &&
  'original' in error &&
  error.original instanceof QuerentError &&
  error.original.code === 'not-installed'
