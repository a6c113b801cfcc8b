/** Every action and callback id that a view may emit. A test holds each of them to exactly one listener. */
export const actionIds = {
  stop: 'stop_question',
  showSql: 'show_sql',
  exportCsv: 'export_csv',
  vote: 'vote',
  /** Followed by the number of the option, because ids must differ within one block. */
  clarifyOption: 'clarify_option_',
  clarifyElse: 'clarify_else',
  askExample: 'ask_example_',
  verifiedKeep: 'verified_keep',
  verifiedRemove: 'verified_remove',
  verifiedShowSql: 'verified_show_sql',
} as const

export const callbackIds = {
  clarifyElse: 'clarify_else_submitted',
  showSql: 'show_sql_shown',
} as const
