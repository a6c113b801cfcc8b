import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ApiAnswer } from '../emulator/call-emulator.ts'
import type { Workspace } from '../workspace.ts'
import { type ApiMethod, type ApiParams, refuse } from './api-method.ts'
import type { FaultKind } from './draw-fault.ts'
import type { Faults } from './make-faults.ts'
import { readBody } from './read-body.ts'
import { readParams } from './read-params.ts'
import { sendJson } from './send-json.ts'

/** Answers one call of the Web API: plays a fault if one is set, checks the token, runs the method. */
export const makeHandleApi = (
  workspace: Workspace,
  methods: ReadonlyMap<string, ApiMethod>,
  faults: Faults,
): ((method: string, request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>) => {
  const { bot, calls, now, timers, callEmulator, messages } = workspace

  const perform = async (method: string, token: string | null, params: ApiParams): Promise<ApiAnswer> => {
    if (!token) return refuse('not_authed')
    if (token !== bot.token) return refuse('invalid_auth')
    const own = methods.get(method)
    return own ? own(params) : callEmulator(method, params, token)
  }

  const expireStream = ({ channel, ts }: ApiParams): void => {
    const stream = messages.find(String(channel), String(ts))?.stream
    if (stream?.state !== 'streaming') return
    messages.change(String(channel), String(ts), 'stream', { stream: { ...stream, state: 'expired' } })
  }

  const record = (method: string, answer: ApiAnswer | null, fault: FaultKind | null): void =>
    calls.add({
      at: now().getTime(),
      method,
      ok: answer?.ok ?? false,
      error: answer?.error ?? null,
      fault: fault?.kind ?? null,
    })

  return async (method, request, response, url) => {
    const body = await readBody(request)
    const fault = faults.next(method)
    if (fault && isInstead(fault)) {
      record(method, null, fault)
      return play(fault, response, timers.sleep)
    }
    const params = readParams(body.toString('utf8'), request.headers['content-type'] ?? '', url.searchParams)
    if (fault?.kind === 'expire-stream') expireStream(params)
    const answer = await perform(method, tokenOf(request, params), withoutToken(params))
    record(method, answer, fault)
    if (fault?.kind === 'drop-response') response.destroy()
    else sendJson(response, 200, answer)
  }
}

/** Faults that replace the call; the others come before or after it. */
type InsteadOfCall = Exclude<FaultKind, { readonly kind: 'drop-response' | 'expire-stream' }>

const isInstead = (fault: FaultKind): fault is InsteadOfCall =>
  fault.kind !== 'drop-response' && fault.kind !== 'expire-stream'

const play = async (
  fault: InsteadOfCall,
  response: ServerResponse,
  sleep: (ms: number) => Promise<boolean>,
): Promise<void> => {
  switch (fault.kind) {
    case 'rate-limited':
      response.setHeader('retry-after', String(fault.retryAfterSeconds))
      return sendJson(response, 429, refuse('ratelimited'))
    case 'server-error':
      response.writeHead(500).end('internal error')
      return
    case 'error':
      return sendJson(response, 200, refuse(fault.error))
    case 'hang':
      await sleep(fault.ms)
      response.destroy()
      return
    default: {
      const never: never = fault
      return never
    }
  }
}

const tokenOf = (request: IncomingMessage, params: ApiParams): string | null => {
  const header = request.headers.authorization?.replace(/^Bearer\s+/i, '').trim()
  return header || (typeof params.token === 'string' ? params.token : null)
}

const withoutToken = ({ token: _, ...params }: ApiParams): ApiParams => params
