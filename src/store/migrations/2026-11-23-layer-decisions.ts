import type { Knex } from 'knex'

/** What admins decided about proposed metrics and segments. */
export const layerDecisions = {
  name: '2026-11-23-layer-decisions',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      -- Rows are only added: the last one about an item counts, and the others say who decided what before.
      create table querent.layer_decisions (
        id uuid primary key,
        -- Of two decisions in the same millisecond, the one that was stored later counts.
        position bigint generated always as identity,
        database text not null,
        kind text not null check (kind in ('metric', 'segment')),
        name text not null,
        status text not null check (status in ('accepted', 'rejected')),
        definition text not null,
        tables jsonb not null,
        decided_by text,
        decided_at timestamptz not null
      );
      create index layer_decisions_last on querent.layer_decisions (database, kind, name, position desc);
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw('drop table querent.layer_decisions')
  },
}
