/** Slack's ids of messages are seconds since 1970 with six decimals. */
export const tsToDate = (ts: string): Date => new Date(Math.round(Number(ts) * 1000))
