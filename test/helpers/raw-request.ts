import { connect } from 'node:net'

/** What came of bytes on a socket. */
export interface RawReply {
  /** All that the server wrote. */
  readonly text: string
  /** The status of its last response; null if there was none. */
  readonly status: number | null
  /** Bytes that were sent after the first. */
  readonly sent: number
}

/**
 * Sends bytes as no client would, then more every few milliseconds for as long as the server lets it, until the server
 * hangs up.
 */
export const sendRaw = async (
  port: number,
  bytes: string,
  more: () => string | null = () => null,
): Promise<RawReply> => {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  let sent = 0
  socket.on('data', chunk => {
    text += String(chunk)
  })
  socket.on('error', () => {})
  socket.write(bytes)
  const timer = setInterval(() => {
    const next = more()
    if (next === null || socket.destroyed) return
    socket.write(next)
    sent += next.length
  }, 20)
  await new Promise(resolve => socket.once('close', resolve))
  clearInterval(timer)
  const [, status] = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].at(-1) ?? []
  return { text, sent, status: status === undefined ? null : Number(status) }
}
