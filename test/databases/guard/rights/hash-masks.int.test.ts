import { createHash, createHmac } from 'node:crypto'
import { inspect } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { connect } from '../../../../src/databases/connect.ts'
import { parseDatabaseReference } from '../../../../src/databases/database-reference.ts'
import { makeGuard } from '../../../../src/databases/guard/guard.ts'
import { deriveHashKey } from '../../../../src/databases/guard/rights/hash-key.ts'
import { restrictConnection } from '../../../../src/databases/restrict-connection.ts'
import { type DataRights, plainSession } from '../../../../src/domain/access/data-rights.ts'
import { unrestrictedScope } from '../../../../src/domain/database.ts'
import { type StatementAudit, silentAudit } from '../../../../src/domain/operations/audit.ts'
import { requireService } from '../../../helpers/services/require-service.ts'
import { makeServers } from './servers.ts'
import { openUnder, tryStatement } from './try-rights.ts'

// The hash of a masked value is keyed, so nobody can confirm a guess, and nothing shows the key.

const mysqlUrl = requireService('MYSQL_URL', 'hashes of masked values on MariaDB and MySQL')

const undo: (() => unknown)[] = []

afterAll(async () => {
  for (const step of undo.reverse()) await step()
})

const secret = Buffer.from('what the store keeps')
const hashKey = deriveHashKey(secret, 'shop')

const statements = [
  'CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(60), born INTEGER)',
  'CREATE TABLE visits (id INTEGER PRIMARY KEY, email VARCHAR(60))',
  "INSERT INTO people VALUES (1, 'adé@x.org', 1815), (2, 'bob@x.org', 1815), (3, NULL, NULL)",
  "INSERT INTO visits VALUES (1, 'adé@x.org'), (2, 'adé@x.org')",
]

const rights: DataRights = {
  key: '0123456789abcdef',
  group: 'people',
  scope: unrestrictedScope,
  rowRules: [],
  columnMasks: ['people.email', 'people.born', 'visits.email'].map(column => ({ column, mask: 'hash' })),
  mayExport: true,
  session: plainSession,
}

/** The key as its owner has it: the padded key without its padding. */
const keyBytes = Buffer.from(hashKey.inner, 'hex').map(byte => byte ^ 0x36)

const hmac = (value: string): string =>
  createHmac('sha256', keyBytes).update(value).digest('hex').slice(0, 16)

const unkeyed = (value: string): string => createHash('sha256').update(value).digest('hex').slice(0, 16)

/** An audit that keeps all that it is told. */
const recordingAudit = (): { readonly audit: StatementAudit; readonly told: unknown[] } => {
  const told: unknown[] = []
  return {
    told,
    audit: {
      begin: async (...given) => {
        told.push(given)
        const end = await silentAudit.begin(...given)
        return ended => {
          told.push(ended)
          end(ended)
        }
      },
      refused: (...given) => void told.push(given),
    },
  }
}

/** Any 16 characters of the key, in hexadecimal or as a database writes bytes. */
const showsKey = (text: string): boolean => {
  const plain = text.toLowerCase().replace(/[^0-9a-z]/g, '')
  return [hashKey.inner, hashKey.outer].some(hex => {
    const parts = [0, 16, 32, 48].map(at => hex.slice(at, at + 16))
    const escaped = [0, 8, 16, 24].map(at =>
      [...Buffer.from(hex, 'hex').subarray(at, at + 8)]
        .map(byte =>
          byte > 31 && byte < 127 ? String.fromCharCode(byte) : `x${byte.toString(16).padStart(2, '0')}`,
        )
        .join('')
        .toLowerCase()
        .replace(/[^0-9a-z]/g, ''),
    )
    return [...parts, ...escaped].some(part => plain.includes(part))
  })
}

const rowsOf = (shown: string): unknown => (JSON.parse(shown) as [unknown, unknown])[1]

describe.each(makeServers(undo, mysqlUrl))('hashes of masked values on %s', (_, make) => {
  test('are keyed, equal for equal values, and null for null', async () => {
    const { address } = await make(statements)
    const { audit, told } = recordingAudit()
    const opened = await openUnder(address, rights, { audit, hashKey })
    undo.push(opened.close)
    const people = rowsOf((await tryStatement(opened, 'SELECT email, born FROM people ORDER BY id')).shown)
    expect(people).toEqual([
      [hmac('adé@x.org'), hmac('1815')],
      [hmac('bob@x.org'), hmac('1815')],
      [null, null],
    ])
    const guesses = ['adé@x.org', 'bob@x.org', '1815'].map(value => `'${unkeyed(value)}'`).join(', ')
    const guessed = `SELECT count(*) FROM people WHERE email IN (${guesses}) OR born IN (${guesses})`
    expect(rowsOf((await tryStatement(opened, guessed)).shown)).toEqual([[0]])
    const joined = 'SELECT count(*) FROM people p JOIN visits v ON v.email = p.email'
    expect(rowsOf((await tryStatement(opened, joined)).shown)).toEqual([[2]])

    const other = await openUnder(address, rights, { hashKey: deriveHashKey(secret, 'shop-copy') })
    undo.push(other.close)
    expect(rowsOf((await tryStatement(other, 'SELECT email FROM people WHERE id = 1')).shown)).not.toEqual([
      [hmac('adé@x.org')],
    ])
    expect(inspect(told, { depth: 9 })).toContain('querent_hash_key_inner')
    expect(showsKey(inspect(told, { depth: 9 }))).toBe(false)
    expect(showsKey(JSON.stringify(opened.database.catalog))).toBe(false)
  }, 60_000)

  test('show their key neither in plans nor in errors, nor to who names what stands for it', async () => {
    const { address } = await make(statements)
    const reference = parseDatabaseReference(address, { baseFolder: '/' })
    const connection = await connect(reference, { audit: silentAudit })
    undo.push(connection.close)
    const { connection: restricted } = restrictConnection(connection, {
      scope: unrestrictedScope,
      rights,
      hashKey,
    })
    await restricted.introspect()
    const limits = { timeoutMs: 10_000, maxRows: 10, maxBytes: 10_000 }
    const guarded = (sql: string) => {
      const verdict = makeGuard()(sql, reference.dialect)
      if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
      return verdict.guarded
    }
    const plan = await restricted.explain(guarded("SELECT email FROM people WHERE email > 'a'"), limits)
    expect(plan).not.toBe('')
    expect(showsKey(plan), plan).toBe(false)
    for (const sql of ['SELECT nothing FROM people', 'SELECT email FROM people ORDER BY wrong, email']) {
      const error: unknown = await restricted.run(guarded(sql), limits).then(
        () => null,
        (error: unknown) => error,
      )
      expect(error).toBeInstanceOf(Error)
      expect(showsKey(inspect(error, { depth: 9, showHidden: true }))).toBe(false)
    }
    await expect(
      restricted.run(guarded(`SELECT id, 'querent_hash_key_inner' AS k FROM people`), limits),
    ).rejects.toThrow('stands for the key')
  }, 60_000)
})
