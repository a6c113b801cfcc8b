import { describe, expect, it } from 'vitest'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import { openKnex, storeUnavailable } from '../../src/store/store.ts'

describe('a store that cannot be used', () => {
  it.each([
    ['28P01', 'password authentication failed', 'check user and password'],
    ['3D000', 'database "x" does not exist', 'createdb'],
    ['42501', 'permission denied for database x', 'grant create on database'],
    ['ECONNREFUSED', '', 'that its server is running'],
  ])('is told with what to do: %s', (code, message, advice) => {
    const error = storeUnavailable({ code, message })
    expect(error.code).toBe('store-unavailable')
    expect(error.message).toContain(message || code)
    expect(error.message).toContain(advice)
    expect(error.message).toContain('DATABASE_URL')
  })

  it('is told without the stack of the driver', async () => {
    const warned: unknown[] = []
    const knex = openKnex('postgres://127.0.0.1:1/nowhere', {
      ...silentLog,
      warn: fields => void warned.push(fields),
    })
    try {
      await expect(knex.raw('select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    } finally {
      await knex.destroy()
    }
    expect(warned.length).toBeGreaterThan(0)
    expect(JSON.stringify(warned)).toContain('ECONNREFUSED')
    expect(JSON.stringify(warned)).not.toContain(' at ')
  })
})
