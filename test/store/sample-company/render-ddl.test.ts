import { describe, expect, it } from 'vitest'
import {
  renderKeysAndComments,
  renderTables,
  type SampleSchema,
} from '../../../src/store/sample-company/load-tables.ts'

const schema: SampleSchema = {
  version: '1',
  tables: [
    {
      name: 'group',
      comment: "The band's name",
      columns: [
        { name: 'id', type: 'integer', nullable: false, comment: null },
        { name: 'Founded', type: 'date', nullable: true, comment: 'First gig' },
      ],
      primaryKey: ['id'],
      foreignKeys: [],
    },
    {
      name: 'gigs',
      comment: 'Where they played',
      columns: [
        { name: 'group_id', type: 'integer', nullable: false, comment: null },
        { name: 'night', type: 'date', nullable: false, comment: null },
        { name: 'support_id', type: 'integer', nullable: true, comment: null },
      ],
      primaryKey: ['group_id', 'night'],
      foreignKeys: [
        { columns: ['group_id'], table: 'group', references: ['id'] },
        { columns: ['support_id'], table: 'group', references: ['id'] },
      ],
    },
  ],
}

describe('DDL of a sample', () => {
  it('quotes names and says what may be null', () => {
    expect(renderTables(schema)).toEqual([
      'create table "group" ("id" integer not null, "Founded" date)',
      'create table "gigs" ("group_id" integer not null, "night" date not null, "support_id" integer)',
    ])
  })

  it('adds all primary keys first, and an index to a foreign key without one', () => {
    expect(renderKeysAndComments(schema)).toEqual([
      'alter table "group" add primary key ("id")',
      'alter table "gigs" add primary key ("group_id", "night")',
      'alter table "gigs" add foreign key ("group_id") references "group" ("id")',
      'alter table "gigs" add foreign key ("support_id") references "group" ("id")',
      'create index on "gigs" ("support_id")',
      `comment on table "group" is 'The band''s name'`,
      `comment on column "group"."Founded" is 'First gig'`,
      `comment on table "gigs" is 'Where they played'`,
    ])
  })
})
