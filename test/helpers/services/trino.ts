/** Answers of a statement that a test sends as an administrator, outside the connector. */
export const askTrino = async (
  url: string,
  sql: string,
  place: { readonly catalog: string; readonly schema: string },
): Promise<readonly (readonly unknown[])[]> => {
  const { hostname, port } = new URL(url)
  const headers = {
    'x-trino-user': 'admin',
    'x-trino-catalog': place.catalog,
    'x-trino-schema': place.schema,
  }
  const rows: unknown[][] = []
  let next = `http://${hostname}:${port}/v1/statement`
  let begin = true
  for (;;) {
    const answer = await fetch(next, begin ? { method: 'POST', headers, body: sql } : { headers })
    begin = false
    const page = (await answer.json()) as {
      nextUri?: string
      data?: unknown[][]
      error?: { message: string }
    }
    if (page.error) throw new Error(`${page.error.message}, in: ${sql.slice(0, 200)}`)
    rows.push(...(page.data ?? []))
    if (page.nextUri === undefined) return rows
    next = page.nextUri
  }
}
