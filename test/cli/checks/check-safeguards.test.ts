import { describe, expect, test } from 'vitest'
import { readOnlyRoleStatements, summarizeSafeguards } from '../../../src/cli/checks/check-safeguards.ts'
import type { Catalog } from '../../../src/domain/catalog.ts'

const holding = {
  refusesWrites: true,
  stopsAtTimeout: true,
  cancelFreesServer: true,
  roleCanWrite: false,
} as const

const role = ['create role querent_reader;']

describe('the finding of doctor on the safeguards of a database', () => {
  test('is ok with nothing to do if they hold and the user cannot write', () => {
    expect(summarizeSafeguards(holding, role)).toEqual({
      status: 'ok',
      finding:
        'all safeguards hold; a write was refused; the time limit stopped an endless statement; canceling ended a statement in the database too; the database user cannot write',
    })
  })

  test('does not mention users if the database has none', () => {
    expect(summarizeSafeguards({ ...holding, roleCanWrite: null }, null).finding).not.toContain('user')
  })

  test('is weak and says how to create another user if this one can write', () => {
    const judged = summarizeSafeguards({ ...holding, roleCanWrite: true }, role)
    expect(judged.status).toBe('weak')
    expect(judged.todo).toContain(role[0])
  })

  test.each(['refusesWrites', 'stopsAtTimeout', 'cancelFreesServer'] as const)(
    'is broken and says what to do without %s',
    wall => {
      const judged = summarizeSafeguards({ ...holding, [wall]: false }, role)
      expect(judged.status).toBe('broken')
      expect(judged.finding).toContain('NOT')
      expect(judged.todo).toBeTruthy()
    },
  )
})

describe('the statements that create a user that can only read', () => {
  const catalog = {
    dialect: 'postgres',
    fingerprint: '',
    foreignKeys: [],
    tables: [null, 'sales', 'sales', 'odd"name'].map((schema, at) => ({
      schema,
      name: `t${at}`,
      type: 'table',
      comment: null,
      rowCount: null,
      primaryKey: [],
      columns: [],
    })),
  } as unknown as Catalog

  test('grant each schema of a Postgres database once, with names in quotes', () => {
    const url = 'postgres://admin:secret@db.example:5432/my%20shop'
    const statements = readOnlyRoleStatements(
      { dialect: 'postgres', name: 'shop', location: url },
      catalog,
    )!.join('\n')
    expect(statements).toContain('grant connect on database "my shop" to querent_reader;')
    for (const schema of ['"public"', '"sales"', '"odd""name"'])
      expect(statements.split(`grant select on all tables in schema ${schema} `).length).toBe(2)
    expect(statements).not.toContain('secret')
    expect(statements.split('\n').at(-1)).toMatch(
      /^-- "alter default" covers tables that the person who runs it creates/,
    )
  })

  test('grant one database of a MySQL server', () => {
    const url = 'mysql://root@db.example/shop'
    expect(readOnlyRoleStatements({ dialect: 'mysql', name: 'shop', location: url }, catalog)).toContain(
      "grant select, show view on `shop`.* to 'querent_reader'@'%';",
    )
  })

  test('are null if the database has no users', () => {
    expect(readOnlyRoleStatements({ dialect: 'sqlite', name: 'f', location: '/f' }, catalog)).toBeNull()
  })
})
