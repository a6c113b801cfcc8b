import type { ResponseUrls } from '../interactions/make-response-urls.ts'
import type { Workspace } from '../workspace.ts'
import type { PageBundle } from './bundle-page.ts'
import type { makeHandleApi } from './make-handle-api.ts'
import type { makeHandlePageCall } from './make-handle-page-call.ts'
import { passToEmulator } from './pass-to-emulator.ts'
import { readBody } from './read-body.ts'
import { sendFile } from './send-file.ts'
import { sendPage } from './send-page.ts'
import type { HandleRequest } from './start-gateway.ts'

/** Which part answers which path. */
export const makeRouter = (deps: {
  readonly workspace: Workspace
  readonly handleApi: ReturnType<typeof makeHandleApi>
  readonly handlePageCall: ReturnType<typeof makeHandlePageCall>
  readonly responseUrls: ResponseUrls
  readonly bundlePage: () => Promise<PageBundle>
}): HandleRequest => {
  const { workspace } = deps
  return async (request, response, url) => {
    const [, top = '', rest = ''] = /^\/([^/]*)\/?(.*)$/.exec(url.pathname) ?? []
    switch (top) {
      case 'api':
        return deps.handleApi(rest, request, response, url)
      case 'upload':
      case 'files-pri':
        return passToEmulator(workspace.requestEmulator, request, response)
      case 'files':
        return sendFile(workspace, rest, response)
      case 'actions': {
        const { status, text } = await deps.responseUrls.receive(rest, (await readBody(request)).toString())
        response.writeHead(status).end(text)
        return
      }
      case '_simulator':
        return deps.handlePageCall(rest, request, response, url)
      default:
        return sendPage(deps.bundlePage, url.pathname, response)
    }
  }
}
