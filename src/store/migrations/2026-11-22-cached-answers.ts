import type { Knex } from 'knex'

/** Answers that are shown again to another question, and questions that are to be answered anew. */
export const cachedAnswers = {
  name: '2026-11-22-cached-answers',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      alter table querent.questions
        -- Asked for past the cache: somebody wants the rows read again.
        add column fresh boolean not null default false;
      alter table querent.answers
        -- The question whose answer this was first, and when its rows were read.
        add column cached_from uuid references querent.questions on delete set null,
        add column read_at timestamptz;
      create index answers_cached_from on querent.answers (cached_from) where cached_from is not null;
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      alter table querent.answers drop column cached_from, drop column read_at;
      alter table querent.questions drop column fresh;
    `)
  },
}
