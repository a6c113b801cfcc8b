import type { IncomingMessage } from 'node:http'

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * Whether a request comes from a page or program of this machine. Other web pages can reach loopback addresses
 * through a browser; their origin, or the name under which they found us, gives them away.
 */
export const isFromThisMachine = ({ headers }: IncomingMessage): boolean => {
  const hosts = [`http://${headers.host ?? ''}`, ...(headers.origin ? [headers.origin] : [])]
  return hosts.every(host => URL.canParse(host) && loopback.has(new URL(host).hostname))
}
