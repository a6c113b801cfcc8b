import { describe, expect, test } from 'vitest'
import { readOnlyRoleStatements, summarizeSafeguards } from '../../../src/cli/checks/check-safeguards.ts'
import type { Catalog } from '../../../src/domain/catalog.ts'

const standing = {
  refusesWrites: true,
  stopsAtTimeout: true,
  cancelFreesServer: true,
  roleCanWrite: false,
} as const

const role = ['create role querent_reader;']

describe('what doctor says of a database whose walls were tried', () => {
  test('is that all is well, and nothing to do, when they stand and the user cannot write', () => {
    expect(summarizeSafeguards(standing, role)).toEqual({
      status: 'ok',
      finding:
        'a write was refused; a statement without end was stopped by its time limit; a cancelled one was gone from the database; its user has no right to write',
    })
  })

  test('says nothing of users where there are none', () => {
    expect(summarizeSafeguards({ ...standing, roleCanWrite: null }, null).finding).not.toContain('user')
  })

  test('is weak, with how to make another user, when this one could write', () => {
    const judged = summarizeSafeguards({ ...standing, roleCanWrite: true }, role)
    expect(judged.status).toBe('weak')
    expect(judged.todo).toContain(role[0])
  })

  test.each(['refusesWrites', 'stopsAtTimeout', 'cancelFreesServer'] as const)(
    'is broken, with something to do, without %s',
    wall => {
      const judged = summarizeSafeguards({ ...standing, [wall]: false }, role)
      expect(judged.status).toBe('broken')
      expect(judged.finding).toContain('NOT')
      expect(judged.todo).toBeTruthy()
    },
  )
})

describe('the statements that make a user who can only read', () => {
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
    const statements = readOnlyRoleStatements({ kind: 'postgres', name: 'shop', url }, catalog)!.join('\n')
    expect(statements).toContain('grant connect on database "my shop" to querent_reader;')
    for (const schema of ['"public"', '"sales"', '"odd""name"'])
      expect(statements.split(`grant select on all tables in schema ${schema} `).length).toBe(2)
    expect(statements).not.toContain('secret')
    expect(statements.split('\n').at(-1)).toMatch(/^-- "alter default" covers what whoever runs it makes/)
  })

  test('grant one database of a MySQL server', () => {
    const url = 'mysql://root@db.example/shop'
    expect(readOnlyRoleStatements({ kind: 'mysql', name: 'shop', url }, catalog)).toContain(
      "grant select, show view on `shop`.* to 'querent_reader'@'%';",
    )
  })

  test('are none where there are no users', () => {
    expect(readOnlyRoleStatements({ kind: 'sqlite', name: 'f', file: '/f' }, catalog)).toBeNull()
  })
})
