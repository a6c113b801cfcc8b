import { serve } from '../compose/serve.ts'
import type { CommandContext } from './command-context.ts'

/** Retries of a Slack that does not answer would go on for half an hour in a process that is done. */
const SHUTDOWN_TIMEOUT_MS = 500

/** `serve`: the bot, until it is told to stop; the same as `npm start`. It makes what it needs by itself. */
export const runServe = async (_options: unknown, { config }: CommandContext): Promise<number> => {
  try {
    await serve(config)
    return 0
  } finally {
    // Fires only where something else still keeps the process.
    setTimeout(() => process.exit(), SHUTDOWN_TIMEOUT_MS).unref()
  }
}
