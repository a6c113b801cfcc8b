import type { IncomingMessage, ServerResponse } from 'node:http'

/** Bytes of a request. */
const MOST_BYTES = 1_000_000

/** How long a body may take. */
const BODY_MS = 10_000

/** `gone`: the client closed the connection. */
export type ReadBody =
  | { readonly status: 'read'; readonly text: string }
  | { readonly status: 'too-large' | 'too-slow' | 'gone' }

/** Whether the headers announce a body that is too large. A body without a length is counted while it is read. */
export const announcesTooMuch = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  Number(headers['content-length'] ?? 0) > MOST_BYTES

/** Reads the whole body as text, within limits. A client that waits to be asked for it is asked. */
export const readBody = async (
  request: IncomingMessage,
  response: ServerResponse,
  bodyMs: number = BODY_MS,
): Promise<ReadBody> => {
  if (request.headers.expect !== undefined) response.writeContinue()
  const chunks: Buffer[] = []
  let bytes = 0
  const late = Promise.withResolvers<ReadBody>()
  const timer = setTimeout(() => late.resolve({ status: 'too-slow' }), bodyMs)
  const read = new Promise<ReadBody>(resolve => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= MOST_BYTES) chunks.push(chunk)
      else resolve({ status: 'too-large' })
    })
    request.once('end', () => resolve({ status: 'read', text: Buffer.concat(chunks).toString('utf8') }))
    request.once('error', () => resolve({ status: 'gone' }))
    request.once('close', () => resolve({ status: 'gone' }))
  })
  try {
    const body = await Promise.race([read, late.promise])
    if (body.status !== 'read') request.pause()
    return body
  } finally {
    clearTimeout(timer)
  }
}
