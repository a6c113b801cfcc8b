import type { Knex } from 'knex'

/** Rules of the glossary that came out of replies, and the other readings that an answer could have taken. */
export const proposedRules = {
  name: '2026-11-21-proposed-rules',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      create table querent.proposed_rules (
        id uuid primary key,
        database text not null,
        -- A question proposes one at most; the question may be forgotten before the rule.
        question_id uuid not null unique,
        question text not null,
        phrase text,
        meaning text not null,
        sql text,
        columns jsonb not null,
        status text not null check (status in ('proposed', 'accepted', 'rejected')),
        proposed_by text,
        proposed_at timestamptz not null,
        decided_by text,
        decided_at timestamptz,
        check (status = 'proposed' or decided_at is not null)
      );
      -- What was proposed once does not come again, whatever became of it. Without a phrase it is about its question.
      create unique index proposed_rules_once on querent.proposed_rules
        (database, md5(lower(coalesce(phrase, question) || E'\\n' || meaning)));
      create index proposed_rules_list on querent.proposed_rules (database, status, proposed_at);
      alter table querent.answers add column alternatives jsonb not null default '[]';
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw('alter table querent.answers drop column alternatives; drop table querent.proposed_rules')
  },
}
