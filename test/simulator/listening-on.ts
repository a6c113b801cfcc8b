import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Whether `listeningOn` can tell: Linux alone says it in files. */
export const canTellListening = existsSync('/proc/self/net/tcp')

/** Where a process listens, as `127.0.0.1:3000`; IPv6 addresses as the kernel writes them. */
export const listeningOn = (pid: number): readonly string[] => {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap(fd => {
      try {
        return [/^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? '']
      } catch {
        // Closed since.
        return []
      }
    }),
  )
  const lines = ['tcp', 'tcp6'].flatMap(kind =>
    readFileSync(`/proc/${pid}/net/${kind}`, 'utf8')
      .split('\n')
      .map(line => line.trim().split(/\s+/)),
  )
  return lines
    .filter(([, , , state, , , , , , inode = '']) => state === '0A' && sockets.has(inode))
    .map(([, local = '']) => {
      const [address = '', port = ''] = local.split(':')
      const isV4 = address.length === 8
      const shown = isV4
        ? address
            .match(/../g)
            ?.reverse()
            .map(byte => Number.parseInt(byte, 16))
        : null
      return `${shown?.join('.') ?? address}:${Number.parseInt(port, 16)}`
    })
    .toSorted()
}
