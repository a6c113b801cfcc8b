/** Every action and callback id that a view may emit. A test holds each of them to exactly one listener. */
export const actionIds = {
  stop: 'stop_question',
  showSql: 'show_sql',
  exportCsv: 'export_csv',
  editSql: 'edit_sql',
  /** The overflow menu of an answer. */
  more: 'answer_more',
  changeReading: 'change_reading',
  vote: 'vote',
  humanApprove: 'human_approve',
  humanFix: 'human_fix',
  humanReject: 'human_reject',
  humanShowSql: 'human_show_sql',
  /** Followed by the number of the option, because ids must differ within one block. */
  clarifyOption: 'clarify_option_',
  clarifyElse: 'clarify_else',
  askExample: 'ask_example_',
  verifiedKeep: 'verified_keep',
  verifiedRemove: 'verified_remove',
  verifiedShowSql: 'verified_show_sql',
  /** Followed by a number. Of App Home, like those below. */
  homeAsk: 'home_ask_',
  homeRuleAccept: 'home_rule_accept',
  homeRuleReject: 'home_rule_reject',
  homeStaleKeep: 'home_stale_keep',
  homeStaleRemove: 'home_stale_remove',
  homeRebuild: 'home_rebuild',
} as const

export const callbackIds = {
  clarifyElse: 'clarify_else_submitted',
  showSql: 'show_sql_shown',
  how: 'how_shown',
  notice: 'notice_shown',
  editSql: 'edit_sql_submitted',
  feedback: 'feedback_submitted',
  humanFix: 'human_fix_submitted',
  humanReject: 'human_reject_submitted',
} as const
