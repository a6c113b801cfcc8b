import { request } from 'node:http'
import { text } from 'node:stream/consumers'

/**
 * Sends a statement as an administrator, outside the connector, over a connection of its own; gives the answer as
 * tab-separated text.
 */
export const askClickhouse = (url: string, sql: string, database: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const sending = request(
      { hostname, port, path: `/?database=${database}`, method: 'POST', agent: false },
      answer => {
        text(answer).then(words => {
          if (answer.statusCode === 200) resolve(words.trim())
          else reject(new Error(`${words.slice(0, 300)}, in: ${sql.slice(0, 200)}`))
        }, reject)
      },
    )
    sending.on('error', reject)
    sending.end(sql)
  })
