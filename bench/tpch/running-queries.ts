/** A query of ours as the coordinator lists it. */
interface ListedQuery {
  readonly queryId: string
  readonly state: string
  readonly query: string
  /** Rows that its scans have read so far. */
  readonly rowsRead: number
}

interface QueryInfo {
  readonly queryId: string
  readonly state: string
  readonly query: string
  readonly session?: { readonly source?: string }
  readonly queryStats?: { readonly processedInputPositions?: number; readonly rawInputPositions?: number }
  readonly sessionSource?: string
}

/** The queries that the coordinator remembers, from its own list. */
export const listQueries = async (url: string): Promise<readonly ListedQuery[]> => {
  const { hostname, port } = new URL(url)
  const answer = await fetch(`http://${hostname}:${port}/v1/query`, { headers: { 'x-trino-user': 'admin' } })
  const queries = (await answer.json()) as readonly QueryInfo[]
  return queries
    .filter(({ session, sessionSource }) => (session?.source ?? sessionSource ?? 'querent') === 'querent')
    .map(({ queryId, state, query, queryStats }) => ({
      queryId,
      state,
      query,
      rowsRead: queryStats?.rawInputPositions ?? queryStats?.processedInputPositions ?? 0,
    }))
}

/** Looks again and again, since a coordinator forgets the queries that ended some seconds ago. */
export const rememberQueries = (url: string): { readonly all: () => Promise<readonly ListedQuery[]> } => {
  const seen = new Map<string, ListedQuery>()
  const look = async (): Promise<void> => {
    for (const query of await listQueries(url)) seen.set(query.queryId, query)
  }
  const looking = setInterval(() => void look().catch(() => {}), 1_000)
  return {
    all: async () => {
      clearInterval(looking)
      await look()
      return [...seen.values()]
    },
  }
}
