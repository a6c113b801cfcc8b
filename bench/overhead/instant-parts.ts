import type { LinkingDeps, UnderstandingDeps } from '../../graphs/answer/deps.ts'
import { makeGuard } from '../../src/databases/guard/guard.ts'
import type { DraftPath, FixSql } from '../../src/domain/candidate.ts'
import type { Catalog } from '../../src/domain/catalog.ts'
import type { Database } from '../../src/domain/database.ts'
import { SqlError } from '../../src/domain/errors.ts'
import { noModelUsage } from '../../src/domain/operations/usage.ts'

/** A schema of about 20 KB as a prompt would show it: what must not end up in a checkpoint. */
const catalog: Catalog = {
  dialect: 'postgres',
  fingerprint: 'bench',
  foreignKeys: [],
  tables: Array.from({ length: 40 }, (_, table) => ({
    schema: null,
    name: `table_${table}`,
    type: 'table' as const,
    comment: `What the business keeps of subject ${table}`,
    rowCount: 1000,
    primaryKey: ['id'],
    columns: Array.from({ length: 10 }, (_, column) => ({
      name: `column_${column}`,
      type: 'text',
      kind: 'text' as const,
      nullable: true,
      comment: `What column ${column} of table ${table} says`,
      profile: null,
    })),
  })),
}

const guard = makeGuard()

/** A database that answers at once, but for the one statement that is wrong. */
export const instantDatabase: Database = {
  name: 'bench',
  dialect: 'postgres',
  catalog,
  findValues: () => [],
  guard: sql => guard(sql, 'postgres'),
  run: async ({ sql }) => {
    if (sql.includes('wrong_column'))
      throw new SqlError('unknown-column', 'column "wrong_column" does not exist', { driverCode: '42703' })
    return {
      columns: [
        { name: 'column_1', kind: 'text' },
        { name: 'count', kind: 'integer' },
      ],
      rows: Array.from({ length: 20 }, (_, row) => [`name ${row}`, row]),
      truncated: null,
      milliseconds: 0,
    }
  },
  indexMilliseconds: 0,
} as Database

/** Models that draft at once. The first draft of each question has to be repaired. */
export const instantPaths = (drafts: number): readonly DraftPath[] =>
  (['divide-and-conquer', 'query-plan', 'online-synthetic'] as const).map((name, path) => ({
    name,
    cost: 'model',
    samples: Math.ceil(drafts / 3),
    draft: async ({ sample }) => ({
      kind: 'statements',
      drafts: [
        {
          sql:
            path === 0 && sample === 0
              ? 'select wrong_column, count(*) from table_1 group by 1'
              : 'select column_1, count(*) from table_1 group by 1',
          lineage: name,
          prior: 0.6,
          decisions: [],
          assumptions: [],
          unused: null,
        },
      ],
      usage: { modelCalls: 1, promptTokens: 6000, completionTokens: 300 },
    }),
  }))

export const instantFix: FixSql = async ({ sql }) => ({
  sql: sql.replace('wrong_column', 'column_1'),
  usage: noModelUsage,
})

/** Understanding and linking that cost nothing. */
export const instantReading: Pick<UnderstandingDeps, 'understand'> & LinkingDeps = {
  understand: (text, clock) => ({
    kind: 'data',
    text,
    spans: [],
    today: clock.now().toISOString().slice(0, 10),
    timeZone: clock.timeZone,
  }),
  widenSchema: ({ linked }) => linked,
  linkSchema: async ({ catalog }) => ({
    tables: catalog.tables.map(({ name }) => ({ table: name, keep: 'all' as const })),
  }),
}
