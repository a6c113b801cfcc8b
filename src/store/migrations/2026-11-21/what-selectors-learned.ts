import type { Knex } from 'knex'

/** What selectors saw, what people did about the answers, and the selectors that learned from it. */
export const learnedSelection = {
  name: '2026-11-21-what-selectors-learned',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      -- Numbers by the names of features and ids of candidates; neither rows nor SQL.
      create table querent.selection_snapshots (
        question_id uuid primary key references querent.questions on delete cascade,
        version text not null,
        groups jsonb not null,
        saved_at timestamptz not null default now()
      );

      -- What people did about answers beside the thumbs, of each kind a person's last. Thumbs are in querent.votes.
      create table querent.feedback (
        question_id uuid not null references querent.answers on delete cascade,
        person text not null,
        kind text not null check (kind in ('reason', 'alternative', 'sql', 'edit', 'export', 'verification')),
        answer_key text not null,
        group_key text not null,
        reason text,
        note text,
        sql text,
        given_at timestamptz not null,
        primary key (question_id, person, kind),
        check ((kind = 'reason') = (reason is not null)),
        check ((kind in ('sql', 'edit')) = (sql is not null))
      );
      create index feedback_person on querent.feedback (person);

      -- How well each lineage of candidates did, by what people said.
      create table querent.expert_weights (
        expert text primary key,
        weight double precision not null check (weight between 0 and 1),
        mistakes integer not null,
        rounds integer not null,
        updated_at timestamptz not null default now()
      );

      create table querent.selector_versions (
        version text primary key,
        state text not null check (state in ('champion', 'retired', 'rejected')),
        model jsonb not null,
        report jsonb not null,
        trained_at timestamptz not null,
        -- Null for the nightly training.
        decided_by text,
        decided_at timestamptz not null
      );
      create unique index selector_versions_one_champion on querent.selector_versions (state)
        where state = 'champion';
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      drop table querent.selector_versions, querent.expert_weights, querent.feedback, querent.selection_snapshots
    `)
  },
}
