import { z } from 'zod'
import type { ForgottenKind, ForgottenRows } from '../../core/forgotten.ts'
import { nothingForgotten } from '../../core/forgotten.ts'
import type { Tx } from '../../core/tx.ts'
import { type PersonColumn, personColumns } from '../personal/person-columns.ts'
import type { Within } from '../transactions.ts'

/** Ids of Slack are looked for within texts; other names (a user of a shell) could be ordinary words. */
export const SLACK_ID = /^[UW][A-Z0-9]{5,}$/

/** What deleted rows are counted as. */
const deletedAs: Readonly<Record<string, ForgottenKind>> = {
  ...{ questions: 'questions', digests: 'digests', remarks: 'remarks', votes: 'votes', feedback: 'feedback' },
  ...{ budget_usage: 'usage', reading_reservations: 'usage' },
}

const Id = z.object({ id: z.string() })

/** Makes the queries that find everything of a person, and forget it. */
export const makePersonalData = (within: Within) => {
  const run = async (tx: Tx, sql: string, values: Readonly<Record<string, string>>): Promise<number> =>
    (await within(tx).raw(sql, values)).rowCount ?? 0

  return {
    /** Ids of the questions that a person asked. */
    listQuestions: async (person: string, tx?: Tx): Promise<readonly string[]> => {
      const rows: unknown[] = await within(tx)('querent.questions').select('id').where('asked_by', person)
      return rows.map(row => Id.parse(row).id)
    },

    /**
     * Deletes what belongs to a person, and puts `alias` where somebody has to stand in what stays. Counts what it
     * changed. Run twice it finds nothing more.
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
      // What the person wrote into what stays, and where only they read: no value of its own tells it.
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
 * Whole ids only: that of one person can be the beginning of another's. What takes their place is as long as they were:
 * digests and verified queries know by position where the values of a statement stand. Columns are text or jsonb.
 */
const MENTION = (table: string, column: string): string => `
  update querent.${table} as t
  set ${column} = (jsonb_populate_record(t, jsonb_build_object('${column}',
    case pg_typeof(t.${column})::text
      when 'jsonb' then regexp_replace(t.${column}::text, '\\m' || :person || '\\M', rpad('U', length(:person), 'X'), 'g')::jsonb
      else to_jsonb(regexp_replace(t.${column}::text, '\\m' || :person || '\\M', rpad('U', length(:person), 'X'), 'g'))
    end))).${column}
  where strpos(t.${column}::text, :person) > 0 and t.${column}::text ~ ('\\m' || :person || '\\M')`

/** Replies are kept because answers of others rest on them; the words of the person are not. */
const FORGET_WORDS = `
  update querent.replies set reply = jsonb_set(reply, '{text}', '"(removed)"'), replied_by = null
  where replied_by = :person and reply ->> 'kind' = 'text'`

const FORGET_REASONS = 'update querent.human_requests set reason = null where decided_by = :person'

/** A direct message has a channel of its own, which tells who it was with. */
const FORGET_DIRECT_CHANNELS = `
  update querent.audit_log set channel = null where person = :person and channel like 'D%'`

const FORGET_NOTICES = `
  delete from querent.verified_notices where query_id in
    (select id from querent.verified_queries where saved_by = :person)`

const DELETE_DIGESTS_FOR = `
  delete from querent.digests where target ->> 'kind' = 'person' and target ->> 'person' = :person`

/** The row of nobody may be there already. Money of which one part is not known is not known. */
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
