import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestEmulator } from '../emulator/call-emulator.ts'
import { readBody } from './read-body.ts'

/** Passes a request to the emulator unchanged: the content of an upload, or a download. */
export const passToEmulator = async (
  requestEmulator: RequestEmulator,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const body = request.method === 'GET' ? null : await readBody(request)
  const { authorization, 'content-type': contentType } = request.headers
  const answer = await requestEmulator(request.url ?? '/', {
    method: request.method ?? 'GET',
    headers: { ...(contentType && { 'content-type': contentType }), ...(authorization && { authorization }) },
    ...(body && { body }),
  })
  response.writeHead(answer.status, { 'content-type': answer.contentType ?? 'application/octet-stream' })
  response.end(answer.content)
}
