import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Lines of /proc/net/tcp: the state 01 is an established connection; addresses and ports are hexadecimal. */
const established = '01'

const socketsOfThisProcess = (): ReadonlySet<string> =>
  new Set(
    readdirSync('/proc/self/fd').flatMap(fd => {
      try {
        const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1]
        return inode === undefined ? [] : [inode]
      } catch {
        // Closed meanwhile.
        return []
      }
    }),
  )

/** How many TCP connections this process has to a port, whatever the host. */
export const openConnectionsTo = (port: number): number => {
  const own = socketsOfThisProcess()
  const wanted = port.toString(16).toUpperCase().padStart(4, '0')
  return ['/proc/self/net/tcp', '/proc/self/net/tcp6']
    .flatMap(file => readFileSync(file, 'utf8').split('\n').slice(1))
    .map(line => line.trim().split(/\s+/))
    .filter(
      ([, , remote = '', state, , , , , , inode = '']) =>
        state === established && remote.endsWith(`:${wanted}`) && own.has(inode),
    ).length
}
