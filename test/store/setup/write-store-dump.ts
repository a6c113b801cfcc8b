import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { fillReleaseStore } from './release-store.ts'

/**
 * Writes the store of this version as statements to fixtures/stores/VERSION.sql, once a release:
 * `DATABASE_URL=postgres://... npm run store-dump`. Needs a superuser and a pg_dump at least as new as the server; an
 * older server is better, since every newer one can read its dump.
 */

/** Statements of pg_dump for psql alone, or for servers of one version alone. */
const notForEveryone = /^(\\(un)?restrict .*|SET transaction_timeout = .*|--.*)$/

const root = join(import.meta.dirname, '../../..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const server = process.env.DATABASE_URL
if (!server) throw new Error('set DATABASE_URL to a superuser on a Postgres server')
const name = `querent_release_${randomBytes(6).toString('hex')}`
const url = new URL(server)
url.pathname = `/${name}`

const admin = new Client({ connectionString: server })
await admin.connect()
await admin.query(`create database ${name}`)
try {
  await fillReleaseStore(url.href)
  const { stdout } = await promisify(execFile)(
    'pg_dump',
    ['--rows-per-insert=100', '--no-owner', '--no-privileges', '--no-comments', url.href],
    { maxBuffer: 64 * 1024 * 1024 },
  )
  const lines = stdout.split('\n').filter(line => line !== '' && !notForEveryone.test(line))
  const file = join('fixtures/stores', `${version}.sql`)
  writeFileSync(
    join(root, file),
    `-- The store of Querent ${version}. Written by npm run store-dump.\n${lines.join('\n')}\n`,
  )
  console.log(`Wrote ${file}.`)
} finally {
  await admin.query(`drop database ${name} with (force)`)
  await admin.end()
}
// Connections of drivers would keep the process for a while.
process.exit()
