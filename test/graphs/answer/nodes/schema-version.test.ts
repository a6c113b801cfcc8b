import { describe, expect, it } from 'vitest'
import { schemaVersion } from '../../../../graphs/answer/nodes/recall-answer.ts'
import type { Database } from '../../../../src/domain/database.ts'
import { noKnowledge } from '../../../../src/domain/knowledge.ts'

const column = {
  name: 'email',
  type: 'text',
  kind: 'text',
  nullable: true,
  comment: null,
  profile: null,
} as const

const table = {
  ...{ schema: null, name: 'people', type: 'table', comment: null, rowCount: 3, primaryKey: [] },
  columns: [column],
} as const

const database = (given: {
  readonly table?: object
  readonly column?: object
  readonly rest?: Partial<Database>
}): Database =>
  ({
    name: 'shop',
    dialect: 'sqlite',
    catalog: {
      dialect: 'sqlite',
      foreignKeys: [],
      fingerprint: 'f1',
      tables: [{ ...table, columns: [{ ...column, ...given.column }], ...given.table }],
    },
    knowledge: noKnowledge,
    ...given.rest,
  }) as unknown as Database

describe('the version of a schema', () => {
  it('stays with the rows', () => {
    expect(schemaVersion(database({ table: { rowCount: 4 } }))).toBe(schemaVersion(database({})))
  })

  it.each([
    ['a column is masked', database({ column: { masked: true } })],
    ['a column is described', database({ column: { comment: 'work address' } })],
    ['another type is declared', database({ column: { type: 'varchar' } })],
    ['a table has another name', database({ table: { name: 'staff' } })],
    [
      'the team says more',
      database({
        rest: { knowledge: { ...noKnowledge, rules: [{ text: 'x', at: { file: 'a', line: 1 } }] } },
      }),
    ],
    [
      'a file of the semantic layer changes',
      database({ rest: { semanticLayer: { models: [], metrics: [], segments: [] } as never } }),
    ],
  ])('changes when %s', (_, changed) => {
    expect(schemaVersion(changed)).not.toBe(schemaVersion(database({})))
  })
})
