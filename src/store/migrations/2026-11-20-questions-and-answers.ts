import type { Knex } from 'knex'

/** Questions, what was tried for them, what came out, and what people said of it. */
export const questionsAndAnswers = {
  name: '2026-11-20-questions-and-answers',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      create table querent.questions (
        id uuid primary key,
        -- One per place and moment: a message that is delivered twice finds it taken.
        key text not null unique,
        text text not null,
        database text not null,
        status text not null default 'queued' check (status in
          ('queued', 'working', 'waiting', 'stopping', 'answered', 'refused', 'failed', 'stopped')),
        asked_by text,
        time_zone text not null,
        asked_at timestamptz not null,
        place jsonb,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create index questions_open on querent.questions (status, updated_at)
        where status in ('queued', 'working', 'waiting', 'stopping');
      create index questions_asked_by on querent.questions (asked_by, asked_at);
      create index questions_thread on querent.questions
        ((place ->> 'team'), (place ->> 'channel'), (place ->> 'thread')) where place is not null;

      -- Messages that were taken in, whatever became of them: one that is delivered again finds its key.
      create table querent.heard_messages (
        key text primary key,
        heard_at timestamptz not null default now()
      );
      create index heard_messages_age on querent.heard_messages (heard_at);

      -- One execution of the graph; a question has several when it was resumed, or when a worker died.
      create table querent.runs (
        id uuid primary key,
        question_id uuid not null references querent.questions on delete cascade,
        status text not null check (status in ('running', 'finished', 'abandoned')),
        outcome jsonb,
        usage jsonb,
        started_at timestamptz not null default now(),
        finished_at timestamptz,
        check ((status = 'running') = (finished_at is null)),
        check ((status = 'finished') = (outcome is not null))
      );
      create index runs_question on querent.runs (question_id, started_at);
      create unique index runs_one_running on querent.runs (question_id) where status = 'running';

      create table querent.briefs (
        question_id uuid primary key references querent.questions on delete cascade,
        brief jsonb not null,
        updated_at timestamptz not null default now()
      );

      create table querent.candidates (
        question_id uuid not null references querent.questions on delete cascade,
        id text not null,
        path text not null,
        lineage text not null,
        rank integer not null,
        sql text not null,
        prior double precision not null,
        decisions jsonb not null,
        assumptions jsonb not null,
        unused jsonb,
        repairs jsonb not null,
        run jsonb,
        created_at timestamptz not null default now(),
        primary key (question_id, id)
      );

      -- Rows of a run of a candidate. Those who name a result do so without a key: results expire before they do.
      create table querent.saved_results (
        id uuid primary key,
        question_id uuid not null references querent.questions on delete cascade,
        canonical_hash text not null,
        columns jsonb not null,
        head jsonb not null,
        body bytea not null,
        body_row_count integer not null,
        row_count integer not null,
        truncated text check (truncated in ('rows', 'bytes')),
        milliseconds double precision not null,
        created_at timestamptz not null default now(),
        expires_at timestamptz not null
      );
      create index saved_results_question on querent.saved_results (question_id);
      create index saved_results_expiry on querent.saved_results (expires_at);

      create table querent.answers (
        question_id uuid primary key references querent.questions on delete cascade,
        run_id uuid not null references querent.runs on delete cascade,
        candidate_id text not null,
        result_id text not null,
        sql text not null,
        confidence double precision not null,
        headline text not null,
        assumptions jsonb not null,
        answered_at timestamptz not null default now()
      );

      create table querent.clarifications (
        question_id uuid primary key references querent.questions on delete cascade,
        question text not null,
        options jsonb not null,
        default_option integer not null,
        asked_at timestamptz not null default now()
      );

      -- The one reply that a question may have: of two clicks, or of a click and the expiry, the second finds it taken.
      create table querent.replies (
        question_id uuid primary key references querent.clarifications on delete cascade,
        reply jsonb not null,
        replied_by text,
        replied_at timestamptz not null default now()
      );

      -- Claimed before the message is posted; ts is null until we know that it was.
      create table querent.outbound_messages (
        question_id uuid not null references querent.questions on delete cascade,
        step text not null,
        channel text not null,
        payload jsonb not null,
        ts text,
        claimed_at timestamptz not null,
        posted_at timestamptz,
        primary key (question_id, step),
        check ((ts is null) = (posted_at is null))
      );

      create table querent.votes (
        question_id uuid not null references querent.answers on delete cascade,
        person text not null,
        vote text not null check (vote in ('up', 'down')),
        run_id uuid not null references querent.runs on delete cascade,
        candidate_id text not null,
        voted_at timestamptz not null default now(),
        primary key (question_id, person)
      );
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      drop table querent.votes, querent.outbound_messages, querent.replies, querent.clarifications,
        querent.answers, querent.saved_results, querent.candidates, querent.briefs, querent.runs, querent.heard_messages,
        querent.questions
    `)
  },
}
