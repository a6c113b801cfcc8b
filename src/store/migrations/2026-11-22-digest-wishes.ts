import type { Knex } from 'knex'

/** Digests that are wanted of questions which are not answered yet. */
export const digestWishes = {
  name: '2026-11-22-digest-wishes',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      create table querent.digest_wishes (
        question_id uuid primary key references querent.questions on delete cascade,
        person text not null,
        form jsonb not null,
        made_at timestamptz not null
      )
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw('drop table querent.digest_wishes')
  },
}
