import { z } from 'zod'
import { type ForgottenKind, type ForgottenRows, nothingForgotten } from '../../domain/operations/audit.ts'
import type { Tx } from '../../domain/operations/jobs.ts'
import type { Within } from '../transactions.ts'

/** Only Slack ids are searched for in texts; other names (a shell user) could be ordinary words. */
export const SLACK_ID = /^[UW][A-Z0-9]{5,}$/

/** The kind that deleted rows count as. */
const deletedAs: Readonly<Record<string, ForgottenKind>> = {
  ...{ questions: 'questions', digests: 'digests', remarks: 'remarks', votes: 'votes', feedback: 'feedback' },
  ...{ budget_usage: 'usage', reading_reservations: 'usage' },
}

const Id = z.object({ id: z.string() })

/** Queries that find a person's data and delete it. */
export const makePersonalData = (within: Within) => {
  const run = async (tx: Tx, sql: string, values: Readonly<Record<string, string>>): Promise<number> =>
    (await within(tx).raw(sql, values)).rowCount ?? 0

  return {
    /** Ids of the questions a person asked. */
    listQuestions: async (person: string, tx?: Tx): Promise<readonly string[]> => {
      const rows: unknown[] = await within(tx)('querent.questions').select('id').where('asked_by', person)
      return rows.map(row => Id.parse(row).id)
    },

    /**
     * Deletes a person's rows, and replaces the person with `alias` in rows that stay. Counts the changes. A second run
     * finds nothing more.
     */
    forget: async (person: string, alias: string, tx: Tx): Promise<ForgottenRows> => {
      const counts = { ...nothingForgotten }
      const add = (kind: ForgottenKind, rows: number): void => {
        counts[kind] += rows
      }
      const values = { person, alias }
      const touch = async (handling: 'row' | 'nobody' | 'name'): Promise<void> => {
        for (const [table, column] of columnsThat(handling)) {
          const kind = handling === 'row' ? deletedAs[table] : table === 'audit_log' ? 'statements' : 'names'
          add(kind ?? 'names', await run(tx, sqlOf(table, column, handling), values))
        }
      }
      add('digests', await run(tx, DELETE_DIGESTS_FOR, values))
      await touch('row')
      // Text the person wrote into rows that stay, which has no column with the person's id.
      add('names', await run(tx, FORGET_WORDS, values))
      await run(tx, FORGET_REASONS, values)
      await run(tx, FORGET_DIRECT_CHANNELS, values)
      await run(tx, FORGET_NOTICES, values)
      add('usage', await run(tx, MERGE_USAGE, values))
      await touch('nobody')
      await touch('name')
      if (!SLACK_ID.test(person)) return counts
      for (const [table, column] of columnsThat('mention')) {
        add('mentions', await run(tx, MENTION(table, column), values))
      }
      return counts
    },
  }
}

const columnsThat = (wanted: PersonColumn): readonly (readonly [table: string, column: string])[] =>
  Object.entries(personColumns).flatMap(([table, columns]) =>
    Object.entries(columns).flatMap(([column, handling]) =>
      handling === wanted ? [[table, column] as const] : [],
    ),
  )

const sqlOf = (table: string, column: string, handling: 'row' | 'nobody' | 'name'): string => {
  switch (handling) {
    case 'row':
      return `delete from querent.${table} where ${column} = :person`
    case 'nobody':
      return `update querent.${table} set ${column} = null where ${column} = :person`
    case 'name':
      return `update querent.${table} set ${column} = :alias where ${column} = :person`
    default: {
      const never: never = handling
      return never
    }
  }
}

/**
 * Only whole ids are replaced: one id can be the beginning of another. The replacement has the same length, because
 * digests and verified queries store positions in their statements. Columns are text or jsonb.
 */
const MENTION = (table: string, column: string): string => `
  update querent.${table} as t
  set ${column} = (jsonb_populate_record(t, jsonb_build_object('${column}',
    case pg_typeof(t.${column})::text
      when 'jsonb' then regexp_replace(t.${column}::text, '\\m' || :person || '\\M', rpad('U', length(:person), 'X'), 'g')::jsonb
      else to_jsonb(regexp_replace(t.${column}::text, '\\m' || :person || '\\M', rpad('U', length(:person), 'X'), 'g'))
    end))).${column}
  where strpos(t.${column}::text, :person) > 0 and t.${column}::text ~ ('\\m' || :person || '\\M')`

/** Replies are kept because other people's answers depend on them; the person's words are not. */
const FORGET_WORDS = `
  update querent.replies set reply = jsonb_set(reply, '{text}', '"(removed)"'), replied_by = null
  where replied_by = :person and reply ->> 'kind' = 'text'`

const FORGET_REASONS = 'update querent.human_requests set reason = null where decided_by = :person'

/** The channel of a direct message identifies the person. */
const FORGET_DIRECT_CHANNELS = `
  update querent.audit_log set channel = null where person = :person and channel like 'D%'`

const FORGET_NOTICES = `
  delete from querent.verified_notices where query_id in
    (select id from querent.verified_queries where saved_by = :person)`

const DELETE_DIGESTS_FOR = `
  delete from querent.digests where target ->> 'kind' = 'person' and target ->> 'person' = :person`

/** The row without a person may already exist. A sum with an unknown part is unknown. */
const MERGE_USAGE = `
  with gone as (delete from querent.model_usage where asked_by = :person returning *),
  kept as (
    insert into querent.model_usage as usage
      (day, asked_by, model, role, calls, prompt_tokens, completion_tokens, money)
    select day, '', model, role, calls, prompt_tokens, completion_tokens, money from gone
    on conflict (day, asked_by, model, role) do update set
      calls = usage.calls + excluded.calls,
      prompt_tokens = usage.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = usage.completion_tokens + excluded.completion_tokens,
      money = usage.money + excluded.money
  )
  select from gone`

/**
 * What happens to a person's id in a column when the person is deleted: `row` deletes the row (and what depends on it),
 * `nobody` empties the column, `name` replaces it with an alias, `mention` does so within a text or document, `merge`
 * adds the row to the one without a person. `nowhere`: it cannot contain an id.
 */
type PersonColumn = 'row' | 'nobody' | 'name' | 'mention' | 'merge' | 'nowhere'

/**
 * Every text column, by table. A column missing here fails a test, so each new one needs a decision about a person's id
 * in it. Tables whose rows are deleted come first, so that there is less to search.
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
  voter_weights: { person: 'row' },
  feedback_reviews: { person: 'row', decided_by: 'name', decision: 'nowhere' },
  budget_usage: { name: 'row', scope: 'nowhere' },
  question_usage: { role: 'nowhere' },
  // They are deleted within a minute of their statements; without one, a statement is recorded all the same.
  reading_reservations: { person: 'row', channel: 'nowhere', question_id: 'nowhere' },
  model_usage: { asked_by: 'merge', model: 'nowhere', role: 'nowhere' },
  reusable_answers: { key_hash: 'nowhere' },
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
  layer_decisions: {
    decided_by: 'name',
    // An admin may have typed a name as another word for something.
    definition: 'mention',
    ...{ database: 'nowhere', kind: 'nowhere', name: 'nowhere', status: 'nowhere', tables: 'nowhere' },
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
    ...{ repairs: 'mention', run: 'mention', meaning: 'mention', named: 'mention' },
    ...{ id: 'nowhere', path: 'nowhere', lineage: 'nowhere' },
  },
  clarifications: { question: 'mention', options: 'mention' },
  outbound_messages: { payload: 'mention', step: 'nowhere', channel: 'nowhere', ts: 'nowhere' },
  result_charts: { alt_text: 'mention', result_id: 'nowhere', file_id: 'nowhere' },
  runs: { outcome: 'mention', status: 'nowhere', usage: 'nowhere' },
  // Rows of a connected database expire within days; they are not Querent's to change.
  saved_results: {
    ...{ columns: 'nowhere', head: 'nowhere', body: 'nowhere' },
    ...{ canonical_hash: 'nowhere', truncated: 'nowhere' },
  },
  // Values of a connected database at its last profiling: they disappear here when they do there.
  shared_indexes: { key: 'nowhere' },
  shared_index_parts: { key: 'nowhere', body: 'nowhere' },
  secrets: { name: 'nowhere', value: 'nowhere' },
  index_turns: { key: 'nowhere' },
  traces: { trace: 'mention' },
  answer_looks: { look: 'nowhere' },
  digest_findings: { question_id: 'nowhere', finding: 'nowhere' },
  digest_messages: { step: 'nowhere', channel: 'nowhere', ts: 'nowhere' },
  digest_runs: {
    ...{ kind: 'nowhere', request: 'mention', outcome: 'nowhere', statements: 'mention' },
    run_by: 'nobody',
  },
  expert_mistakes: { expert: 'nowhere' },
  expert_rounds: { groups: 'nowhere', answers: 'nowhere', wrong: 'nowhere' },
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

const QuestionId = z.object({ id: z.string() })

/** Queries that find and delete expired data. */
export const makeRetention = (within: Within) => ({
  /** Questions in any status that have not changed since a time, oldest first. */
  listQuestions: async (unchangedSince: Date, most: number, tx?: Tx): Promise<readonly string[]> => {
    const rows: unknown[] = await within(tx)('querent.questions')
      .where('updated_at', '<', unchangedSince)
      .orderBy('updated_at')
      .limit(most)
      .select('id')
    return rows.map(row => QuestionId.parse(row).id)
  },

  /** Deletes questions with everything that belongs to them; returns how many. */
  deleteQuestions: async (ids: readonly string[], tx?: Tx): Promise<number> =>
    within(tx)('querent.questions').whereIn('id', ids).delete(),

  /** Deletes model costs and quota usage from before a day, `YYYY-MM-DD`; returns how many rows. */
  deleteUsage: async (before: string, tx?: Tx): Promise<number> => {
    const usage: number = await within(tx)('querent.model_usage').where('day', '<', before).delete()
    return usage + (await within(tx)('querent.budget_usage').where('day', '<', before).delete())
  },

  /** Deletes the log of digest messages from before a time; returns how many. */
  deleteDigestMessages: async (before: Date, tx?: Tx): Promise<number> =>
    within(tx)('querent.digest_messages').where('claimed_at', '<', before).delete(),
})
