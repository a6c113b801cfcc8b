import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody } from './read-body.ts'

/** Hands a request on as it is: the content of an upload, or a file that is fetched. */
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
