/** What the connector puts in front of a statement for its plan: its drawing of one cuts long names into lines. */
export const explainPrefix = 'explain (format json)\n'
