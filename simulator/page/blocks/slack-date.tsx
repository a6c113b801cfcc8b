/** A moment in the reader's own time, from Slack's `<!date^seconds^tokens|fallback>`. */
export const SlackDate = ({ content }: { readonly content: string }) => {
  const [, seconds, tokens = '', fallback = ''] =
    /^!date\^(\d+)\^([^|^]*)(?:\^[^|]*)?\|?(.*)$/.exec(content) ?? []
  if (seconds === undefined) return fallback
  const at = new Date(Number(seconds) * 1_000)
  return (
    <time dateTime={at.toISOString()} title={fallback}>
      {tokens.replaceAll(/\{(\w+)\}/g, (token, name: string) => tokenOf(name, at) ?? token)}
    </time>
  )
}

const DAY_MS = 24 * 60 * 60 * 1_000

/** What stands in place of a token; null for one that Slack has not. */
const tokenOf = (name: string, at: Date): string | null => {
  if (name === 'time') return at.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  if (name === 'time_secs') return at.toLocaleTimeString()
  if (name === 'date_num') return at.toISOString().slice(0, 10)
  const [, month] = /^date(?:_(short|long))?(?:_pretty)?$/.exec(name) ?? []
  if (!name.startsWith('date')) return null
  if (name.endsWith('_pretty')) {
    const days = Math.round((midnight(new Date()) - midnight(at)) / DAY_MS)
    if (days === 0) return 'today'
    if (days === 1) return 'yesterday'
  }
  return at.toLocaleDateString([], {
    year: 'numeric',
    month: month === 'short' ? 'short' : 'long',
    day: 'numeric',
    ...(month === 'long' ? { weekday: 'long' } : {}),
  })
}

const midnight = (at: Date): number => new Date(at).setHours(0, 0, 0, 0)
