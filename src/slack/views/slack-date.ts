/** A moment as Slack shows it: in the time zone of whoever reads. The text behind it is for clients that cannot. */
export const slackDate = (at: Date): string => {
  const plain = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return `<!date^${Math.floor(at.getTime() / 1000)}^{date_short_pretty} {time}|${plain}>`
}
