import type { ServerResponse } from 'node:http'

/** Answers a request with JSON, unless its connection is gone. */
export const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  if (response.destroyed) return
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(body))
}
