import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Workspace } from '../workspace.ts'

/** Changes within this time are sent as one. */
const GATHERED_MS = 40

/** Server-sent events that tell the page to fetch what is new. */
export const streamChanges = (
  { changes, timers }: Pick<Workspace, 'changes' | 'timers'>,
  request: IncomingMessage,
  response: ServerResponse,
): void => {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    connection: 'keep-alive',
  })
  response.write('data: changed\n\n')
  let told = true
  const unlisten = changes.listen(() => {
    if (!told) return
    told = false
    timers.later(GATHERED_MS, () => {
      told = true
      response.write('data: changed\n\n')
    })
  })
  request.on('close', unlisten)
}
