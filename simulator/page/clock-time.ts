/** The time of day at which a message was posted, as the reader's clock showed it. */
export const clockTime = (ts: string): string =>
  new Date(Number(ts) * 1_000).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
