import { randomBytes } from 'node:crypto'
import mysql from 'mysql2/promise'

/** A MySQL or MariaDB database that one file of tests has to itself. */
export interface MysqlTestDatabase {
  readonly name: string
  /** As the user of MYSQL_URL. */
  readonly url: string
  readonly flavour: 'mysql' | 'mariadb'
  /** Statements, several at once if need be, as the user of MYSQL_URL. Gives the rows of the last. */
  readonly admin: (sql: string) => Promise<readonly Record<string, unknown>[]>
  readonly drop: () => Promise<void>
}

/** `serverUrl` is MYSQL_URL: a user who may create databases and users. */
export const createMysqlDatabase = async (serverUrl: string): Promise<MysqlTestDatabase> => {
  const name = `querent_test_${randomBytes(8).toString('hex')}`
  const onServer = await mysql.createConnection({ uri: serverUrl, multipleStatements: true })
  await onServer.query(`create database ${name} character set utf8mb4`)
  await onServer.query(`use ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const admin = async (sql: string): Promise<readonly Record<string, unknown>[]> => {
    const [rows] = await onServer.query(sql)
    return rows as unknown as readonly Record<string, unknown>[]
  }
  const [row] = await admin('select version() as version')
  return {
    name,
    url: url.href,
    flavour: /mariadb/i.test(String(row?.version)) ? 'mariadb' : 'mysql',
    admin,
    drop: async () => {
      await onServer.query(`drop database if exists ${name}`)
      await onServer.end()
    },
  }
}
