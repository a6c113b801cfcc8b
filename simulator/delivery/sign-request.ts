import { createHmac } from 'node:crypto'

/** The two headers by which the bot knows that a request comes from Slack (signing secret, version 0). */
export const signRequest = (secret: string, body: string, at: Date): Record<string, string> => {
  const timestamp = Math.floor(at.getTime() / 1_000)
  const signature = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')
  return { 'x-slack-request-timestamp': String(timestamp), 'x-slack-signature': `v0=${signature}` }
}
