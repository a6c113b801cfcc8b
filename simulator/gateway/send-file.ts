import type { ServerResponse } from 'node:http'
import type { Workspace } from '../workspace.ts'

/** A file for the page: pictures to be shown, everything else as a download. */
export const sendFile = async (workspace: Workspace, id: string, response: ServerResponse): Promise<void> => {
  const file = workspace.files.findReady(id)
  if (!file) {
    response.writeHead(404).end('there is no such file')
    return
  }
  const answer = await workspace.requestEmulator(file.path, {
    headers: { authorization: `Bearer ${workspace.tokens.files}` },
  })
  const picture = /^image\/(png|jpeg|gif|webp)$/.test(file.mimetype)
  const name = encodeURIComponent(file.name)
  response.writeHead(answer.status, {
    'content-type': picture ? file.mimetype : 'application/octet-stream',
    'x-content-type-options': 'nosniff',
    'content-disposition': `${picture ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
  })
  response.end(answer.content)
}
