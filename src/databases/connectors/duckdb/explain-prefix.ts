/** What the connector puts in front of a statement for its plan. */
export const explainPrefix = 'explain\n'
