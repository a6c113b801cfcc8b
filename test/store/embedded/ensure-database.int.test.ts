import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { ensureDatabase } from '../../../src/store/embedded/embedded-server.ts'

describe('a database that ought to be there', () => {
  it('is created once, by the first process, and is closed to other roles', async () => {
    const adminUrl = inject('embeddedPostgresUrl')
    const name = `querent "test" ${randomUUID()}`
    await Promise.all(Array.from({ length: 3 }, () => ensureDatabase(adminUrl, name)))
    await ensureDatabase(adminUrl, name)
    const role = `test_${randomUUID().slice(0, 8)}`
    const admin = new Client({ connectionString: adminUrl })
    await admin.connect()
    const found = await admin.query('select count(*)::int as n from pg_database where datname = $1', [name])
    await admin.query(`create role ${role}`)
    const open = await admin.query(`select has_database_privilege($1, $2, 'connect') as open`, [role, name])
    await admin.query(`drop role ${role}`)
    await admin.query(`drop database ${admin.escapeIdentifier(name)}`)
    await admin.end()
    expect(found.rows).toEqual([{ n: 1 }])
    expect(open.rows).toEqual([{ open: false }])
  })

  it('cannot be made on a server that refuses the password of its file', async () => {
    const url = new URL(inject('embeddedPostgresUrl'))
    url.password = 'guess'
    await expect(ensureDatabase(url.href, 'any')).rejects.toMatchObject({ code: 'store-unavailable' })
  })
})
