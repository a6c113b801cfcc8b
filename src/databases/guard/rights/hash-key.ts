import { createHmac } from 'node:crypto'
import type { HashKey } from '../../../domain/access/data-rights.ts'
import type { Connector, RunOptions } from '../../../domain/database.ts'
import { SqlError } from '../../../domain/errors.ts'
import { brandGuardedSql, type GuardedSql } from '../../../domain/sql.ts'

/** The block of SHA-256, in bytes. */
const BLOCK = 64

/** The key of a database: the same in every process that has the secret, and no help with any other database. */
export const deriveHashKey = (secret: Uint8Array, database: string): HashKey => {
  const key = createHmac('sha256', secret)
    .update(JSON.stringify(['hash mask', database]))
    .digest()
  const block = Buffer.concat([key, Buffer.alloc(BLOCK - key.length)])
  const padded = (pad: number): string => Buffer.from(block.map(byte => byte ^ pad)).toString('hex')
  return { inner: padded(0x36), outer: padded(0x5c) }
}

/** What stands for the key in a statement, wherever one is recorded, until it is sent. */
export const hashKeyMarks: HashKey = { inner: 'querent_hash_key_inner', outer: 'querent_hash_key_outer' }

/** Whether a text has something that a key would be put in place of. */
export const namesHashKey = (text: string): boolean => /querent_hash_key/i.test(text)

/**
 * The same connector, which puts the hash key of the options into a statement. Whatever records statements stands in
 * front of it and sees only marks. The key is taken out again of plans and errors, which quote statements.
 */
export const withHashKey = (connector: Connector): Connector => {
  const send = async <T>(
    sql: GuardedSql,
    { hashKey, ...options }: RunOptions,
    work: (sql: GuardedSql, options: RunOptions) => Promise<T>,
  ): Promise<T> => {
    if (hashKey === undefined) return work(sql, options)
    try {
      return await work(brandGuardedSql(replaceAll(sql.sql, hashKeyMarks, hashKey), sql.dialect), options)
    } catch (error) {
      throw withoutKey(error, hashKey)
    }
  }
  return {
    ...connector,
    run: (sql, options) => send(sql, options, connector.run),
    explain: async (sql, options) => {
      const plan = await send(sql, options, connector.explain)
      return options.hashKey === undefined ? plan : redact(plan, options.hashKey)
    },
  }
}

const replaceAll = (text: string, from: HashKey, to: HashKey): string =>
  text.replaceAll(`'${from.inner}'`, `'${to.inner}'`).replaceAll(`'${from.outer}'`, `'${to.outer}'`)

/** A plan or an error may show a key in capitals, or cut it off: 16 characters of it are already too many. */
const redact = (text: string, { inner, outer }: HashKey): string =>
  text.replace(/[0-9a-f]{16,}/gi, found => {
    const lower = found.toLowerCase()
    return [inner, outer].some(one => one.includes(lower) || lower.includes(one)) ? '[hash key]' : found
  })

/** The error without the statement that drivers keep with theirs. */
const withoutKey = (error: unknown, key: HashKey): unknown => {
  if (!(error instanceof Error)) return error
  const cause = error.cause instanceof Error ? new Error(redact(error.cause.message, key)) : undefined
  if (error instanceof SqlError)
    return new SqlError(error.errorClass, redact(error.message, key), {
      driverCode: error.driverCode,
      ...(cause && { cause }),
    })
  return new Error(redact(error.message, key), cause && { cause })
}
