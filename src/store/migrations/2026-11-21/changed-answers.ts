import type { Knex } from 'knex'

/** What people do with an answer: change it, look at it as a chart, ask somebody to look at it. */
export const changedAnswers = {
  name: '2026-11-21-changed-answers',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      -- What stands as the answer of a question since somebody changed it: the last one.
      create table querent.answer_revisions (
        id bigint generated always as identity primary key,
        question_id uuid not null references querent.questions on delete cascade,
        -- The submission it came from: the same one twice is one change.
        request text not null,
        kind text not null check (kind in ('edited', 'picked', 'fixed')),
        person text not null,
        candidate_id text,
        sql text not null,
        result_id text not null,
        headline text not null,
        assumptions jsonb not null,
        made_at timestamptz not null,
        unique (question_id, request)
      );
      create index answer_revisions_last on querent.answer_revisions (question_id, id);

      create table querent.answer_looks (
        question_id uuid primary key references querent.questions on delete cascade,
        look text not null check (look in ('table', 'chart'))
      );

      -- Pictures of results that Slack has and shows.
      create table querent.result_charts (
        result_id text primary key,
        question_id uuid not null references querent.questions on delete cascade,
        file_id text not null,
        alt_text text not null
      );
      create index result_charts_question on querent.result_charts (question_id);

      -- The answer as it stood when people were asked to look at it; the first decision counts.
      create table querent.human_requests (
        question_id uuid primary key references querent.questions on delete cascade,
        channel text not null,
        sql text not null,
        result_id text not null,
        headline text not null,
        asked_by text not null,
        asked_at timestamptz not null,
        decision text check (decision in ('approved', 'fixed', 'rejected')),
        decided_by text,
        decided_at timestamptz,
        reason text,
        check ((decision is null) = (decided_by is null)),
        check ((decision is null) = (decided_at is null))
      );
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      drop table querent.human_requests, querent.result_charts, querent.answer_looks, querent.answer_revisions
    `)
  },
}
