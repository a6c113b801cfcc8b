/**
 * What becomes of a person's id where it stands when the person is forgotten:
 * `row` deletes the row (and what hangs on it), `nobody` empties the column, `name` puts a name in its place that means
 * nobody, `mention` does so within a text or a document, `merge` adds the row to that of nobody.
 * `nowhere`: no id of a person can stand in it.
 */
export type PersonColumn = 'row' | 'nobody' | 'name' | 'mention' | 'merge' | 'nowhere'

/**
 * Every column of ours that holds text, by its table. A column that is not here fails a test: say of a new one what
 * becomes of a person's id in it. Tables whose rows are deleted come first, so that less is left to look through.
 */
export const personColumns = {
  questions: {
    ...{ asked_by: 'row', stopped_by: 'nobody', run_by: 'nobody' },
    ...{ key: 'nowhere', database: 'nowhere', status: 'nowhere', time_zone: 'nowhere', place: 'nowhere' },
    text: 'mention',
  },
  digests: {
    owner: 'row',
    ...{ target: 'mention', pause: 'mention', questions: 'mention', title: 'mention', repair: 'mention' },
    ...{ team: 'nowhere', cron: 'nowhere', time_zone: 'nowhere', schedule_words: 'nowhere' },
    ...{ condition: 'nowhere', request: 'mention' },
  },
  digest_wishes: { person: 'row', form: 'mention' },
  remarks: {
    said_by: 'row',
    text: 'mention',
    ...{ key: 'nowhere', team: 'nowhere', channel: 'nowhere', thread: 'nowhere' },
  },
  votes: { person: 'row', vote: 'nowhere', candidate_id: 'nowhere' },
  feedback: {
    person: 'row',
    ...{ reason: 'nowhere', note: 'mention', sql: 'mention' },
    ...{ kind: 'nowhere', answer_key: 'nowhere', group_key: 'nowhere' },
  },
  budget_usage: { name: 'row', scope: 'nowhere' },
  question_usage: { role: 'nowhere' },
  // They are gone within a minute of their statements; without one a statement is booked all the same.
  reading_reservations: { person: 'row', channel: 'nowhere', question_id: 'nowhere' },
  model_usage: { asked_by: 'merge', model: 'nowhere', role: 'nowhere' },
  replies: { replied_by: 'nobody', reply: 'mention' },
  answer_revisions: {
    person: 'name',
    ...{ request: 'mention', sql: 'mention', headline: 'mention', assumptions: 'mention' },
    ...{ kind: 'nowhere', candidate_id: 'nowhere', result_id: 'nowhere' },
  },
  human_requests: {
    ...{ asked_by: 'name', decided_by: 'name' },
    ...{ reason: 'mention', sql: 'mention', headline: 'mention' },
    ...{ channel: 'nowhere', result_id: 'nowhere', decision: 'nowhere' },
  },
  verified_queries: {
    ...{ saved_by: 'nobody', decided_by: 'nobody' },
    ...{
      question: 'mention',
      masked_question: 'mention',
      sql: 'mention',
      slots: 'mention',
      last_run: 'mention',
    },
    ...{ skeleton: 'nowhere', database: 'nowhere', fingerprint: 'nowhere', status: 'nowhere' },
    ...{ touches: 'nowhere', stale_reasons: 'mention' },
  },
  verified_notices: { channel: 'nowhere', ts: 'nowhere' },
  proposed_rules: {
    ...{ proposed_by: 'nobody', decided_by: 'nobody' },
    ...{ question: 'mention', phrase: 'mention', meaning: 'mention', sql: 'mention' },
    ...{ database: 'nowhere', columns: 'nowhere', status: 'nowhere' },
  },
  selector_versions: {
    decided_by: 'name',
    ...{ version: 'nowhere', state: 'nowhere', model: 'nowhere', report: 'nowhere' },
  },
  audit_log: {
    person: 'name',
    ...{ sql: 'mention', reason: 'mention' },
    ...{
      origin: 'nowhere',
      team: 'nowhere',
      channel: 'nowhere',
      question_id: 'nowhere',
      digest_id: 'nowhere',
    },
    ...{
      database: 'nowhere',
      command: 'nowhere',
      dialect: 'nowhere',
      kind: 'nowhere',
      verdict: 'nowhere',
      error_class: 'nowhere',
    },
  },
  answers: {
    ...{ sql: 'mention', headline: 'mention', assumptions: 'mention', alternatives: 'mention' },
    ...{ candidate_id: 'nowhere', result_id: 'nowhere' },
  },
  briefs: { brief: 'mention' },
  candidates: {
    ...{ sql: 'mention', decisions: 'mention', assumptions: 'mention', unused: 'mention' },
    ...{ repairs: 'mention', run: 'mention' },
    ...{ id: 'nowhere', path: 'nowhere', lineage: 'nowhere' },
  },
  clarifications: { question: 'mention', options: 'mention' },
  outbound_messages: { payload: 'mention', step: 'nowhere', channel: 'nowhere', ts: 'nowhere' },
  result_charts: { alt_text: 'mention', result_id: 'nowhere', file_id: 'nowhere' },
  runs: { outcome: 'mention', status: 'nowhere', usage: 'nowhere' },
  // Rows of a database that people ask about expire within days; they are not ours to change.
  saved_results: {
    ...{ columns: 'nowhere', head: 'nowhere', body: 'nowhere' },
    ...{ canonical_hash: 'nowhere', truncated: 'nowhere' },
  },
  // Values of a database that people ask about, as it was measured last: they go from here when they go from there.
  shared_indexes: { key: 'nowhere' },
  shared_index_parts: { key: 'nowhere', body: 'nowhere' },
  index_turns: { key: 'nowhere' },
  traces: { trace: 'mention' },
  answer_looks: { look: 'nowhere' },
  digest_findings: { question_id: 'nowhere', finding: 'nowhere' },
  digest_messages: { step: 'nowhere', channel: 'nowhere', ts: 'nowhere' },
  digest_runs: {
    ...{ kind: 'nowhere', request: 'mention', outcome: 'nowhere', statements: 'mention' },
    run_by: 'nobody',
  },
  expert_weights: { expert: 'nowhere' },
  heard_messages: { key: 'nowhere' },
  installations: {
    ...{ team: 'nowhere', team_name: 'nowhere', scopes: 'nowhere', failure_reason: 'nowhere' },
    // The bot's own user.
    ...{ bot_user_id: 'nowhere', bot_id: 'nowhere', sealed: 'nowhere' },
  },
  migrations: { name: 'nowhere' },
  selection_snapshots: { version: 'nowhere', groups: 'nowhere' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, PersonColumn>>>>
