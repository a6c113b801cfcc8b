/** A moment as Slack shows it: in the time zone of whoever reads. The text behind it is for clients that cannot. */
export const slackDate = (at: Date): string =>
  formatForOldClients(
    at,
    '{date_short_pretty} {time}',
    `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  )

/** The day alone. */
export const slackDay = (at: Date): string =>
  formatForOldClients(at, '{date_short_pretty}', `${at.toISOString().slice(0, 10)} UTC`)

const formatForOldClients = (at: Date, format: string, plain: string): string =>
  `<!date^${Math.floor(at.getTime() / 1000)}^${format}|${plain}>`
