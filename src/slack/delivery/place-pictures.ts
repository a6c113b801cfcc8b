import { setTimeout as sleep } from 'node:timers/promises'
import { slackErrorCode } from './slack-error-code.ts'

/** Slack takes a while to process a file; until then no image block may show it. */
const MOST_TRIES = 6
const FIRST_PAUSE_MS = 250

/** Slack's ways to say that the file is not there yet. */
const fileNotReadyCodes: ReadonlySet<string> = new Set(['invalid_blocks', 'slack_file_not_found'])

/** Puts a message with pictures in its place, as soon as Slack has processed them. False when it does not take them. */
export const updateWhenFilesReady = async (update: () => Promise<unknown>): Promise<boolean> => {
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    try {
      await update()
      return true
    } catch (error) {
      if (!fileNotReadyCodes.has(slackErrorCode(error) ?? '')) throw error
      if (attempt < MOST_TRIES - 1) await sleep(FIRST_PAUSE_MS * 2 ** attempt)
    }
  }
  return false
}
