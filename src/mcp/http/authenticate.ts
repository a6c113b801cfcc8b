import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import type { Caller } from '../../domain/operations/caller.ts'
import { httpCopy } from '../copy.ts'

/** A token, and who calls with it. */
export interface CallerToken {
  readonly token: string
  readonly caller: Caller
}

/** Who may call over HTTP. */
export interface HttpCallers {
  readonly tokens: readonly CallerToken[]
  /** The secret with which Slack signs calls of its own MCP client; null if it may not call. */
  readonly slackSigningSecret: string | null
  /** Who calls if there are neither tokens nor Slack; null for nobody. */
  readonly withoutToken: Caller | null
}

/**
 * Who sent a request. Calls of Slack name the person in each request, so they have no sessions, and what is not a call of
 * a tool has no caller.
 */
export type Authenticated =
  | { readonly status: 'token'; readonly caller: Caller; readonly key: string }
  | { readonly status: 'slack'; readonly caller: Caller | null }
  | Refused

interface Refused {
  readonly status: 'refused'
  readonly message: string
}

/** What the headers alone say. A signature of Slack is over the body too: `check` decides once that is read. */
export type HeadersChecked =
  | Exclude<Authenticated, { readonly status: 'slack' }>
  | { readonly status: 'signed'; readonly check: (body: string) => Authenticated }

/**
 * Decides who sent a request by its headers, before its body is read: by its token, or, with the body, by Slack's
 * signature. A signature that cannot be right, whatever the body, is refused at once.
 */
export const makeAuthenticate = (
  { tokens, slackSigningSecret, withoutToken }: HttpCallers,
  now: () => number,
): ((headers: IncomingHttpHeaders) => HeadersChecked) => {
  const known = tokens.map(({ token, caller }) => ({ digest: digestOf(token), caller }))
  return headers => {
    if (slackSigningSecret !== null && headers['x-slack-signature'] !== undefined) {
      const refused: Refused = { status: 'refused', message: httpCopy.wrongSignature }
      const signature = readSignature(headers, now())
      if (signature === null) return refused
      return {
        status: 'signed',
        check: body =>
          isSignatureOf(body, signature, slackSigningSecret)
            ? { status: 'slack', caller: slackCallerOf(body) }
            : refused,
      }
    }
    if (withoutToken !== null) return { status: 'token', caller: withoutToken, key: '' }
    const [, given] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? []
    if (given === undefined) return { status: 'refused', message: httpCopy.noToken }
    const digest = digestOf(given)
    // All of them are compared, each in constant time: how long it takes tells nothing about any token.
    const found = known.filter(one => timingSafeEqual(one.digest, digest))
    return found[0] === undefined
      ? { status: 'refused', message: httpCopy.wrongToken }
      : { status: 'token', caller: found[0].caller, key: digest.toString('hex') }
  }
}

/** Of equal length for all tokens, so that they can be compared in constant time. */
const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Older requests may have been recorded by someone and sent again. */
const OLDEST_SECONDS = 300

/** Slack's signature, version 0, and the seconds at which it was made. */
interface SlackSignature {
  readonly signature: string
  readonly sentAt: string
}

/** The signature in the headers; null if it has another form or is of another time. */
const readSignature = (headers: IncomingHttpHeaders, now: number): SlackSignature | null => {
  const [signature, sentAt] = [headers['x-slack-signature'], headers['x-slack-request-timestamp']]
  if (typeof signature !== 'string' || !/^v0=[0-9a-f]{64}$/.test(signature)) return null
  if (typeof sentAt !== 'string' || !/^\d{1,12}$/.test(sentAt)) return null
  return Math.abs(now / 1_000 - Number(sentAt)) > OLDEST_SECONDS ? null : { signature, sentAt }
}

/** HMAC-SHA256 over version, time and body. */
const isSignatureOf = (body: string, { signature, sentAt }: SlackSignature, secret: string): boolean => {
  const expected = `v0=${createHmac('sha256', secret).update(`v0:${sentAt}:${body}`).digest('hex')}`
  return timingSafeEqual(digestOf(signature), digestOf(expected))
}

/** Slack names the person and the workspace in the parameters of a call. */
const SlackCall = z.object({
  params: z.object({
    _meta: z.object({
      slack: z.object({
        user_id: z.string().regex(/^[UW][A-Z0-9]+$/),
        team_id: z.string().regex(/^T[A-Z0-9]+$/),
      }),
    }),
  }),
})

const slackCallerOf = (body: string): Caller | null => {
  const parsed = SlackCall.safeParse(parseJson(body))
  if (!parsed.success) return null
  const { user_id: person, team_id: team } = parsed.data.params._meta.slack
  return { person, team, databases: null }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
