import { randomBytes } from 'node:crypto'
import { createMysqlDatabase } from '../../../helpers/services/mysql-database.ts'
import { withClient } from '../../../helpers/with-client.ts'
import type { TrickServer } from './run-tricks.ts'

/** Worlds on a MySQL or MariaDB server; `url` is a user's who may create databases. */
export const mysqlTricks = (url: string): TrickServer => ({
  name: 'mysql',
  create: async statements => {
    const database = await createMysqlDatabase(url)
    for (const statement of statements) await database.admin(statement)
    return { address: database.url, drop: database.drop }
  },
})

/** Worlds on a Postgres server; `url` is a superuser's. */
export const postgresTricks = (url: string): TrickServer => ({
  name: 'postgres',
  create: async statements => {
    const name = `querent_test_${randomBytes(8).toString('hex')}`
    await withClient(url, admin => admin.query(`create database ${name}`))
    const address = new URL(url)
    address.pathname = `/${name}`
    await withClient(address.href, async client => {
      for (const statement of statements) await client.query(statement)
    })
    return {
      address: address.href,
      drop: async () => {
        await withClient(url, admin => admin.query(`drop database if exists ${name} with (force)`))
      },
    }
  },
})
