import type { SlackLocation } from '../../core/place.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'

/** Text that leads to a thread; plain text where the address of the workspace is not known. The text is escaped here. */
export const threadLink = (workspaceUrl: string | null, place: SlackLocation, text: string): string => {
  // A bar would end the text of a link.
  const shown = escapeMrkdwn(text.replaceAll('|', '¦').replace(/\s+/g, ' '))
  if (workspaceUrl === null || !/^https?:\/\/[^\s|>]+\/$/.test(workspaceUrl)) return shown
  const message = place.thread.replace('.', '')
  return `<${workspaceUrl}archives/${encodeURIComponent(place.channel)}/p${encodeURIComponent(message)}|${shown}>`
}
