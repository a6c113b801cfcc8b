/** How many characters a line of a terminal has; undefined where output goes to a file or a pipe. */
export const terminalWidth = (out: object): number | undefined =>
  'columns' in out && typeof out.columns === 'number' && out.columns > 0 ? out.columns : undefined
