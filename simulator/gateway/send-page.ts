import type { ServerResponse } from 'node:http'
import type { PageBundle } from './bundle-page.ts'

const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Slack simulator</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/page.css">
  </head>
  <body>
    <div id="page"></div>
    <script src="/page.js"></script>
  </body>
</html>
`

/** The page loads everything from the simulator; pictures from elsewhere stay empty. */
const policy =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'"

/** The page: one document, its script and its style. */
export const sendPage = async (
  bundle: () => Promise<PageBundle>,
  path: string,
  response: ServerResponse,
): Promise<void> => {
  const send = (type: string, content: string): void => {
    response.writeHead(200, {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': policy,
      'cache-control': 'no-cache',
    })
    response.end(content)
  }
  if (path === '/') return send('text/html', html)
  if (path === '/page.js') return send('text/javascript', (await bundle()).script)
  if (path === '/page.css') return send('text/css', (await bundle()).style)
  response.writeHead(404).end('there is nothing here')
}
