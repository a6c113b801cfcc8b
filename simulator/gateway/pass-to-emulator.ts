import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody } from './read-body.ts'

/** Passes a request to the emulator unchanged: the content of an upload, or a download. */
export const passToEmulator = async (
  emulatorUrl: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const body = request.method === 'GET' ? null : await readBody(request)
  const { authorization } = request.headers
  const answer = await fetch(`${emulatorUrl}${request.url}`, {
    method: request.method ?? 'GET',
    headers: {
      ...(request.headers['content-type'] ? { 'content-type': request.headers['content-type'] } : {}),
      ...(authorization ? { authorization } : {}),
    },
    ...(body ? { body: new Uint8Array(body) } : {}),
  })
  const content = Buffer.from(await answer.arrayBuffer())
  response.writeHead(answer.status, {
    'content-type': answer.headers.get('content-type') ?? 'application/octet-stream',
  })
  response.end(content)
}
